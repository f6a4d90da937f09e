import '../db/engine/quick-drizzle.ts'
import { useCompileCache } from '../shared/compile-cache.ts'
import { readConfig, readKeyEncryptionKeys } from '../shared/config.ts'
import { exitIfMisconfigured } from '../shared/dependency.ts'
import { createLog } from '../shared/log.ts'
import { type Duty, duties } from './duties.ts'

/** `node workers/main.ts DUTY...`: a worker process. It checks its settings before it loads the rest, which takes a second or more. */
const words = process.argv.slice(2)
const wanted = words.filter((word): word is Duty => duties.some((duty) => duty === word))
if (wanted.length === 0 || wanted.length < words.length) {
  console.error(`node workers/main.ts DUTY...: what this process does, of ${duties.join(', ')}`)
  process.exit(2)
}

const isSigning = wanted.includes('signing') || wanted.includes('signing-bulk')
const config = exitIfMisconfigured(() => readConfig(process.env))
const keyEncryptionKeys = isSigning ? exitIfMisconfigured(() => readKeyEncryptionKeys(process.env)) : undefined
const name = isSigning ? 'signing' : 'worker'
const log = createLog({ process: name, level: config.logLevel, pretty: !config.production })
log.info('starting')
useCompileCache(config.dataDir)
const { runDuties } = await import('./run-duties.ts')
await runDuties(wanted, { config, log, keyEncryptionKeys })
