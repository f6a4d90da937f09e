import { openDatabase } from '../db/client.ts'
import { databaseDependency, migratedDatabase } from '../db/dependency.ts'
import { systemClock } from '../shared/clock.ts'
import { readConfig, readKeyEncryptionKeys } from '../shared/config.ts'
import { endStart, Misconfigured, orEnd, untilReached } from '../shared/dependency.ts'
import { type Bus, createBus } from '../shared/jobs/bus.ts'
import { createKeys } from '../shared/jobs/keys.ts'
import { redisDependency } from '../shared/jobs/redis.ts'
import { createLog } from '../shared/log.ts'
import { createOutbound } from '../shared/outbound.ts'
import { endLoading, stopOnSignals } from '../shared/process.ts'
import { createSecrets } from '../shared/secrets.ts'
import { tellClosedKeys } from './heartbeat.ts'
import { openOperations } from './operations.ts'
import { createKeyring, type Keyring } from './signing/keyring.ts'
import { requireOpenKeys } from './signing/stored-keys.ts'
import { type Duty, duties, type Running, startWorkers } from './start.ts'

const words = process.argv.slice(2)
const wanted = words.filter((word): word is Duty => duties.some((duty) => duty === word))
if (wanted.length === 0 || wanted.length < words.length) {
  console.error(`node workers/main.ts DUTY...: what this process does, of ${duties.join(', ')}`)
  process.exit(2)
}

const isSigning = wanted.includes('signing') || wanted.includes('signing-bulk')
const config = orEnd(() => readConfig(process.env))
const log = createLog({
  process: isSigning ? 'signing' : 'worker',
  level: config.logLevel,
  pretty: !config.production,
})
const secrets = createSecrets(config.serviceSecrets)
const db = orEnd(() => openDatabase(config.databaseUrl, { survives: isSigning ? 'powerLoss' : 'crash' }))
const outbound = createOutbound({ allowLoopback: config.outboundAllowLoopback })
const keyring = isSigning ? createKeyring(orEnd(() => readKeyEncryptionKeys(process.env))) : undefined
const operations = openOperations({ db, log, config, isSigning, tellsOfService: wanted.includes('scheduler') })
let running: { workers: Running; bus: Bus } | undefined

stopOnSignals(log, async () => {
  await operations.end()
  if (!running) return // there is nothing to end
  await running.workers.stop()
  await running.bus.close()
  await outbound.close()
  await db.close()
})

await Promise.all([
  untilReached(migratedDatabase(db, config.databaseUrl), log),
  untilReached(redisDependency(config.redisUrl), log),
]).catch(fail)
if (keyring) await untilKeysOpen(keyring).catch(fail)
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
  ...(keyring && { keyring }),
})
running = { workers, bus }
operations.begin({ db, bus, clock: systemClock })
endLoading()
log.info({ duties: wanted, ...(keyring && { keyEncryptionKeys: keyring.keyEncryptionKeys }) }, 'working')

/** Before the first job, and while the database goes away again as well. */
async function untilKeysOpen(keyring: Keyring): Promise<void> {
  const { name, address } = databaseDependency(db, config.databaseUrl)
  const reach = () => requireOpenKeys(db.read, keyring, log)
  try {
    await untilReached({ name, address, reach }, log)
  } catch (error) {
    if (error instanceof Misconfigured) await tellClosedKeys({ config, prefix: config.redisPrefix, secrets })
    throw error
  }
}

function fail(error: unknown): never {
  endStart(log, error)
}
