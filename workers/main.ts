import { openDatabase } from '../db/client.ts'
import { systemClock } from '../shared/clock.ts'
import { readConfig, readKeyEncryptionKeys } from '../shared/config.ts'
import { createBus } from '../shared/jobs/bus.ts'
import { createKeys } from '../shared/jobs/keys.ts'
import { createLog } from '../shared/log.ts'
import { createOutbound } from '../shared/outbound.ts'
import { stopOnSignals } from '../shared/process.ts'
import { createSecrets } from '../shared/secrets.ts'
import { createKeyring } from './signing/keyring.ts'
import { type Duty, duties, startWorkers } from './start.ts'

const wanted = process.argv.slice(2).filter((word): word is Duty => duties.some((duty) => duty === word))
if (wanted.length === 0) {
  console.error(`Usage: node workers/main.ts DUTY...\nDuties: ${duties.join(', ')}`)
  process.exit(2)
}

const config = readConfig(process.env)
const log = createLog({
  process: wanted.includes('signing') ? 'signing' : 'worker',
  level: config.logLevel,
  pretty: !config.production,
})
const secrets = createSecrets(config.serviceSecret)
const db = openDatabase(config.databaseUrl, { survives: wanted.includes('signing') ? 'powerLoss' : 'crash' })
const bus = await createBus({ redisUrl: config.redisUrl, prefix: config.redisPrefix, secrets })
const keys = createKeys(bus, config.credentialDeadlineMs)
const outbound = createOutbound({ allowLoopback: config.outboundAllowLoopback })
const keyring = wanted.includes('signing') ? { keyring: createKeyring(readKeyEncryptionKeys(process.env)) } : {}

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
log.info({ duties: wanted }, 'working')

stopOnSignals(log, async () => {
  await workers.stop()
  await bus.close()
  await outbound.close()
  await db.close()
})
