import '../shared/quick-resolve.ts'
import { createLog } from '../shared/log/log.ts'
import { useCompileCache } from '../shared/process/compile-cache.ts'
import { exitIfMisconfigured } from '../shared/process/dependency.ts'
import { readConfig } from '../shared/settings/config.ts'
import { loadTracing } from '../shared/tracing/load.ts'
import { openKeyEncryptionKeys } from './signing/keys/key-encryption-keys.ts'
import { readProviderSettings } from './signing/keys/open-providers.ts'
import { type WorkerRole, workerRoles } from './worker-roles.ts'

/**
 * `node workers/main.ts ROLE...`: a worker process. Checks its settings before it loads the other modules, because loading takes a second or
 * more.
 */
const words = process.argv.slice(2)
const roles = words.filter((word): word is WorkerRole => workerRoles.some((role) => role === word))
if (roles.length === 0 || roles.length < words.length) {
  console.error(`node workers/main.ts ROLE...: each ROLE is one of ${workerRoles.join(', ')}`)
  process.exit(2)
}

const isSigning = roles.includes('signing') || roles.includes('signing-bulk')
const config = exitIfMisconfigured(() => readConfig(process.env))
const keyEncryption = isSigning ? await openKeyEncryptionKeys(process.env, config) : undefined
const keyProviders = keyEncryption && exitIfMisconfigured(() => readProviderSettings(process.env, keyEncryption.token))
const name = isSigning ? 'signing' : 'worker'
const traces = await loadTracing(process.env, name)
const log = createLog({ process: name, level: config.logLevel, pretty: !config.production, fields: traces.fields })
traces.reportTo(log)
log.info('starting')
useCompileCache(config.dataDir)
const { runWorker } = await import('./run-worker.ts')
await runWorker(roles, { config, log, keyEncryptionKeys: keyEncryption?.keys, keyProviders })
