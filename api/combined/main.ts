import '../../shared/quick-resolve.ts'
import { type ConsoleLinks, sendConsoleLinks } from '../../shared/launcher/console-links.ts'
import { readLaunchedOption } from '../../shared/launcher/continue-as-service.ts'
import type { LauncherInService } from '../../shared/launcher/in-service.ts'
import { createLog } from '../../shared/log/log.ts'
import { useCompileCache } from '../../shared/process/compile-cache.ts'
import { exitIfMisconfigured } from '../../shared/process/dependency.ts'
import { processRoles } from '../../shared/process/roles.ts'
import { readConfig } from '../../shared/settings/config.ts'
import { loadTracing } from '../../shared/tracing/load.ts'
import { openKeyEncryptionKeys } from '../../workers/signing/keys/key-encryption-keys.ts'
import { readProviderSettings } from '../../workers/signing/keys/open-providers.ts'

/**
 * `node api/combined/main.ts`: runs the roles of `ROLES` in one process, all of them by default. Checks the settings before it loads the other modules,
 * which takes over a second.
 */
const words = process.argv.slice(2)
const isDemo = words.includes('--demo')
const [launchedBy] = words.map(readLaunchedOption).filter((parent) => parent !== undefined)
if (words.some((word) => word !== '--demo' && readLaunchedOption(word) === undefined)) {
  console.error(
    'node api/combined/main.ts [--demo]: runs the roles of ROLES. The role web creates the demo tenant with --demo.',
  )
  process.exit(2)
}

const config = exitIfMisconfigured(() => readConfig(process.env))
const launcher = launchedBy === undefined ? undefined : await continueLauncher(launchedBy)
const roles = config.roles ?? processRoles
const isSigning = roles.includes('signing')
const keyEncryption = isSigning ? await openKeyEncryptionKeys(process.env, config) : undefined
const keyProviders = keyEncryption && exitIfMisconfigured(() => readProviderSettings(process.env, keyEncryption.token))
const traces = await loadTracing(process.env, roles.join('-'))
const logs = roles.map((role) => {
  const log = createLog({ process: role, level: config.logLevel, pretty: !config.production, fields: traces.fields })
  log.info('starting')
  return [role, log] as const
})
const [[, log]] = logs as [(typeof logs)[0]]
traces.reportTo(log)
useCompileCache(config.dataDir)
const { runRoles } = await import('./run-roles.ts')
let consoleLinks: ConsoleLinks | undefined
const onDemo = async (links: ConsoleLinks | undefined) => {
  consoleLinks = links
  await sendConsoleLinks(links)
}
await runRoles(new Map(logs), {
  config,
  keyEncryptionKeys: keyEncryption?.keys,
  keyProviders,
  onDemo: isDemo ? onDemo : undefined,
})
await launcher?.finish(consoleLinks)

/** This process was the launcher of `npm start`, and does the rest of its work. */
async function continueLauncher(parent: number): Promise<LauncherInService> {
  const { continueLauncher } = await import('../../shared/launcher/in-service.ts')
  return exitIfMisconfigured(() => continueLauncher(config, parent))
}
