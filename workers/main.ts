import { openDatabase } from '../db/client.ts'
import { databaseDependency } from '../db/dependency.ts'
import { systemClock } from '../shared/clock.ts'
import { readConfig, readKeyEncryptionKeys } from '../shared/config.ts'
import { endStart, untilReached } from '../shared/dependency.ts'
import { type Bus, createBus } from '../shared/jobs/bus.ts'
import { createKeys } from '../shared/jobs/keys.ts'
import { redisDependency } from '../shared/jobs/redis.ts'
import { createLog } from '../shared/log.ts'
import { createOutbound } from '../shared/outbound.ts'
import { endLoading, stopOnSignals } from '../shared/process.ts'
import { createSecrets } from '../shared/secrets.ts'
import { createKeyring } from './signing/keyring.ts'
import { type Duty, duties, type Running, startWorkers } from './start.ts'

const wanted = process.argv.slice(2).filter((word): word is Duty => duties.some((duty) => duty === word))
if (wanted.length === 0) {
  console.error(`Usage: node workers/main.ts DUTY...\nDuties: ${duties.join(', ')}`)
  process.exit(2)
}

const isSigning = wanted.includes('signing') || wanted.includes('signing-bulk')
const config = readConfig(process.env)
const log = createLog({
  process: isSigning ? 'signing' : 'worker',
  level: config.logLevel,
  pretty: !config.production,
})
const secrets = createSecrets(config.serviceSecret)
const db = openDatabase(config.databaseUrl, { survives: isSigning ? 'powerLoss' : 'crash' })
const outbound = createOutbound({ allowLoopback: config.outboundAllowLoopback })
const keyring = isSigning ? { keyring: createKeyring(readKeyEncryptionKeys(process.env)) } : {}
let running: { workers: Running; bus: Bus } | undefined

stopOnSignals(log, async () => {
  if (!running) return // there is nothing to end
  await running.workers.stop()
  await running.bus.close()
  await outbound.close()
  await db.close()
})

await Promise.all([
  untilReached(databaseDependency(db, config.databaseUrl), log),
  untilReached(redisDependency(config.redisUrl), log),
]).catch((error) => endStart(log, error))
const bus = await createBus({ redisUrl: config.redisUrl, prefix: config.redisPrefix, secrets })
const keys = createKeys(bus, config.credentialDeadlineMs)
const workers = await startWorkers(wanted, {
  config,
  prefix: config.redisPrefix,
  db,
  bus,
  keys,
  secrets,
  outbound,
  clock: systemClock,
  log,
  ...keyring,
})
running = { workers, bus }
endLoading()
const { keyEncryptionKeys } = keyring.keyring ?? {}
log.info({ duties: wanted, ...(keyEncryptionKeys && { keyEncryptionKeys }) }, 'working')
