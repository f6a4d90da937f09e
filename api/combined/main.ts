import '../../shared/quick-resolve.ts'
import { createLog } from '../../shared/log/log.ts'
import { useCompileCache } from '../../shared/process/compile-cache.ts'
import { exitIfMisconfigured } from '../../shared/process/dependency.ts'
import { processRoles } from '../../shared/process/roles.ts'
import { readConfig, readKeyEncryptionKeys } from '../../shared/settings/config.ts'
import { loadTracing } from '../../shared/tracing/load.ts'

/**
 * `node api/combined/main.ts`: runs the roles of `ROLES` in one process, all of them by default. Checks the settings before it loads the other modules,
 * which takes over a second.
 */
const words = process.argv.slice(2)
const isDemo = words.length === 1 && words[0] === '--demo'
if (words.length > 0 && !isDemo) {
  console.error(
    'node api/combined/main.ts [--demo]: runs the roles of ROLES. The role web creates the demo tenant with --demo.',
  )
  process.exit(2)
}

const config = exitIfMisconfigured(() => readConfig(process.env))
const roles = config.roles ?? processRoles
const isSigning = roles.includes('signing')
const keyEncryptionKeys = isSigning ? exitIfMisconfigured(() => readKeyEncryptionKeys(process.env)) : undefined
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
await runRoles(new Map(logs), { config, keyEncryptionKeys, isDemo })
