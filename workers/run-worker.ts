import { type Database, openDatabase } from '../db/client.ts'
import { databaseDependency, migratedDatabase } from '../db/engine/dependency.ts'
import { systemClock } from '../shared/clock.ts'
import { type Bus, createBus } from '../shared/jobs/bus.ts'
import { createKeys } from '../shared/jobs/keys.ts'
import { redisDependency } from '../shared/jobs/redis.ts'
import { warnOfRedisSettings } from '../shared/jobs/redis-settings.ts'
import type { Log } from '../shared/log/log.ts'
import { createOutbound } from '../shared/outbound/outbound.ts'
import {
  exitIfMisconfigured,
  exitOnStartupError,
  Misconfigured,
  waitUntilReachable,
} from '../shared/process/dependency.ts'
import { endLoading, stopOnSignals } from '../shared/process/process.ts'
import { createSecrets, type Secrets } from '../shared/secrets/secrets.ts'
import type { Config } from '../shared/settings/config.ts'
import { reportClosedKeys } from './jobs/heartbeat.ts'
import { openOperations } from './operations.ts'
import { createKeyring, type Keyring } from './signing/keyring.ts'
import { requireOpenKeys } from './signing/stored-keys.ts'
import { type RunningWorker, startWorkers } from './start.ts'
import type { WorkerRole } from './worker-roles.ts'

export interface ProcessOptions {
  config: Config
  log: Log
  /** Set in a signing process only. */
  keyEncryptionKeys: Buffer[] | undefined
}

/** Runs a worker process. Resolves when its workers have started. A process that cannot start logs one line and exits. */
export async function runWorker(roles: readonly WorkerRole[], options: ProcessOptions): Promise<void> {
  const { config, log, keyEncryptionKeys } = options
  const fail = (error: unknown): never => exitOnStartupError(log, error)
  const clock = systemClock
  const prefix = config.redisPrefix
  const secrets = createSecrets(config.serviceSecrets, config)
  const keyring = keyEncryptionKeys && createKeyring(keyEncryptionKeys, config.sealFormat)
  const db = exitIfMisconfigured(() => openDatabase(config.databaseUrl, { survives: keyring ? 'powerLoss' : 'crash' }))
  const outbound = createOutbound({ allowLoopback: config.outboundAllowLoopback })
  const reportsService = roles.includes('scheduler')
  const operations = openOperations({ db, log, clock, config, isSigning: keyring !== undefined, reportsService })
  let running: { workers: RunningWorker; bus: Bus } | undefined

  stopOnSignals(log, async () => {
    await operations.stop()
    if (!running) return
    await running.workers.stop()
    await running.bus.close()
    await outbound.close()
    await db.close()
  })

  await Promise.all([
    waitUntilReachable(migratedDatabase(db, config.databaseUrl), log),
    waitUntilReachable(redisDependency(config.redisUrl), log),
  ]).catch(fail)
  if (keyring) await waitUntilKeysOpen(keyring, { db, secrets, config, log }).catch(fail)
  const bus = await createBus({ redisUrl: config.redisUrl, prefix, secrets })
  if (config.production) await warnOfRedisSettings(bus, log)
  const keys = createKeys(bus, config.credentialDeadlineMs)
  const shared = { config, prefix, db, bus, keys, secrets, outbound, clock, log }
  const workers = await startWorkers(roles, { ...shared, ...(keyring && { keyring }) })
  running = { workers, bus }
  operations.start({ db, bus, clock })
  endLoading()
  log.info({ roles, ...(keyring && { keyEncryptionKeys: keyring.keyEncryptionKeys }) }, 'working')
}

/** Waits until the database is reachable and its private keys can be opened. */
async function waitUntilKeysOpen(
  keyring: Keyring,
  { db, secrets, config, log }: { db: Database; secrets: Secrets; config: Config; log: Log },
): Promise<void> {
  const { name, address } = databaseDependency(db, config.databaseUrl)
  const reach = () => requireOpenKeys(db.read, keyring, log)
  try {
    await waitUntilReachable({ name, address, reach }, log)
  } catch (error) {
    if (error instanceof Misconfigured) await reportClosedKeys({ config, prefix: config.redisPrefix, secrets })
    throw error
  }
}
