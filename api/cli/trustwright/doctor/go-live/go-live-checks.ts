import type { DoctorCheck } from '../finding.ts'
import { checkAlarms } from './alarms.ts'
import type { GoLive } from './go-live.ts'
import { checkPublicDns, checkPublicTls } from './hosts.ts'
import { checkBackup, checkClocks, checkLimits, checkRedis } from './installation.ts'
import { checkSecretFiles } from './secret-files.ts'
import { checkDemoTenant, checkRoots } from './tenants.ts'

const checks: Record<string, (goLive: GoLive) => ReturnType<DoctorCheck['run']>> = {
  'public dns': checkPublicDns,
  'public tls': checkPublicTls,
  clocks: checkClocks,
  backup: checkBackup,
  alarms: checkAlarms,
  limits: checkLimits,
  roots: checkRoots,
  'demo tenant': checkDemoTenant,
  'secret files': checkSecretFiles,
  redis: checkRedis,
}

/** The checks before production, in the order of docs/go-live.md. Each has a section there. */
export const goLiveCheckNames = Object.keys(checks)

export function goLiveChecks(goLive: GoLive): DoctorCheck[] {
  return Object.entries(checks).map(([name, check]) => ({
    name,
    see: `docs/go-live.md#${name.replaceAll(' ', '-')}`,
    run: async () => check(goLive),
  }))
}
