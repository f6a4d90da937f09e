import type { ApiClient } from '../../../../shared/client/client.ts'
import { type Command, type CommandCall, textOf, UsageError } from '../command.ts'
import type { DoctorCheck, DoctorFinding } from '../doctor/finding.ts'
import { findProfile, profilesFile } from '../profiles.ts'
import { textOfError } from '../text-of-error.ts'

export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary: 'Check settings, DNS, TLS, clocks, what ends when, and queues',
  details: ['The exit code is 1 if a check finds an error. Warnings need an action within weeks.'],
  options: {
    'go-live': { type: 'boolean', help: 'Also check what production needs' },
    prometheus: { type: 'string', value: 'URL', help: 'The Prometheus whose alarms --go-live checks' },
    backup: { type: 'string', value: 'FOLDER', help: 'The backup that --go-live checks' },
    'new-host': { type: 'string', value: 'HOST', help: 'Also check what a change to this host of the tenant needs' },
  },
  examples: [
    'trustwright doctor',
    'trustwright doctor --profile production --json',
    'trustwright doctor --go-live --profile platform --prometheus http://127.0.0.1:9090 --backup /backups/today',
    'trustwright doctor --new-host university.example.org',
  ],
  async run(call) {
    const { connectionChecks } = await import('../doctor/connection-checks.ts')
    const { tenantChecks } = await import('../doctor/tenant-checks.ts')
    const { env } = call.terminal
    const { baseUrl } = findProfile(env, call.profile)
    const newHost = textOf(call, 'new-host')
    const { newHostChecks, urlOfNewHost } = await import('../doctor/new-host-checks.ts')
    const newUrl = newHost === undefined ? undefined : urlOfNewHost(baseUrl, newHost)
    const client = await call.client({ maxRetryMs: 0 })
    const checks = [...connectionChecks(baseUrl, profilesFile(env)), ...tenantChecks(client)]
    if (newUrl) checks.push(...newHostChecks(client, baseUrl, newUrl))
    checks.push(...(await goLiveChecksOf(call, client, baseUrl)))
    const findings: DoctorFinding[] = []
    for (const check of checks) {
      for (const finding of await runCheck(check)) {
        findings.push(finding)
        if (!call.json) call.print(finding, lineOf(finding))
      }
    }
    if (call.json) call.print(findings, '')
    return findings.some(({ status }) => status === 'error') ? 1 : 0
  },
}

async function goLiveChecksOf(call: CommandCall, client: ApiClient, baseUrl: string): Promise<DoctorCheck[]> {
  const [prometheus, backup] = [textOf(call, 'prometheus'), textOf(call, 'backup')]
  if (call.values['go-live'] !== true) {
    if (prometheus === undefined && backup === undefined) return []
    throw new UsageError('--prometheus and --backup need --go-live.')
  }
  const { goLiveChecks } = await import('../doctor/go-live/go-live-checks.ts')
  const { env } = call.terminal
  return goLiveChecks({ client, baseUrl, env, profiles: profilesFile(env), prometheus, backup })
}

async function runCheck({ name, see, run }: DoctorCheck): Promise<DoctorFinding[]> {
  try {
    return [await run()].flat().map((finding) => findingOf(finding))
  } catch (error) {
    return [findingOf({ status: 'error', message: textOfError(error) })]
  }

  function findingOf(finding: Omit<DoctorFinding, 'check'>): DoctorFinding {
    return { check: name, ...finding, ...(see !== undefined && finding.status !== 'ok' && { see }) }
  }
}

function lineOf({ check, status, message, see }: DoctorFinding): string {
  return `${status.padEnd(7)}  ${check.padEnd(12)}  ${message}${see === undefined ? '' : ` (${see})`}`
}
