import { type Database, openDatabase } from '../db/client.ts'
import { databaseDependency, migratedDatabase } from '../db/engine/dependency.ts'
import { openBroker } from '../db/queue/open-broker.ts'
import { systemClock } from '../shared/clock.ts'
import type { Broker } from '../shared/jobs/broker.ts'
import type { Bus } from '../shared/jobs/bus.ts'
import { createKeys } from '../shared/jobs/keys.ts'
import { warnOfRedisSettings } from '../shared/jobs/redis-settings.ts'
import type { Log } from '../shared/log/log.ts'
import { createMeasured } from '../shared/metrics/measured.ts'
import { describeProcess } from '../shared/metrics/process.ts'
import { serveMetricsOnceFree } from '../shared/metrics/serve.ts'
import { createOutbound } from '../shared/outbound/outbound.ts'
import {
  exitIfMisconfigured,
  exitOnStartupError,
  Misconfigured,
  waitUntilReachable,
} from '../shared/process/dependency.ts'
import { endLoading, stopOnSignals } from '../shared/process/process.ts'
import type { RunningRole } from '../shared/process/roles.ts'
import { createSecrets, type Secrets } from '../shared/secrets/secrets.ts'
import type { Config } from '../shared/settings/config.ts'
import { reportClosedKeys } from './jobs/heartbeat.ts'
import { createKeyring, type Keyring } from './signing/keys/keyring.ts'
import { openProviders, type ProviderSettings } from './signing/keys/open-providers.ts'
import type { KeyProvider } from './signing/keys/provider.ts'
import { addProvider } from './signing/keys/providers.ts'
import { requireOpenKeys } from './signing/keys/stored-keys.ts'
import type { KeyEncryptionKey } from './signing/keys/wrapping.ts'
import { type RunningWorker, startWorkers } from './start.ts'
import type { WorkerRole } from './worker-roles.ts'
import { createWorkerStatus } from './worker-status.ts'

export interface ProcessOptions {
  config: Config
  log: Log
  /** Set in a signing process only. */
  keyEncryptionKeys: KeyEncryptionKey[] | undefined
  /** Set in a signing process only. */
  keyProviders: ProviderSettings | undefined
}

/** Runs a worker process. Resolves when its workers have started. A process that cannot start logs one line and exits. */
export async function runWorker(roles: readonly WorkerRole[], options: ProcessOptions): Promise<void> {
  const { config, log, keyEncryptionKeys, keyProviders } = options
  const secrets = createSecrets(config.serviceSecrets, config)
  const keyring = keyEncryptionKeys && createKeyring(keyEncryptionKeys, config.sealFormat, config.keyPolicy)
  const [name, setting, port] = keyring
    ? (['signing', 'SIGNING_OPS_PORT', config.signingOpsPort] as const)
    : (['worker', 'WORKER_OPS_PORT', config.workerOpsPort] as const)
  const db = exitIfMisconfigured(() => openDatabase(config.databaseUrl, { survives: keyring ? 'powerLoss' : 'crash' }))
  const broker = openBroker(config, { db, secrets })
  const bus = broker.openBus()
  const worker = openWorker(roles, { config, log, secrets, keyring, keyProviders, db, broker, bus })
  describeProcess(config, [name])
  const sources = { ...worker, measure: createMeasured(worker.measure) }
  const metrics = serveMetricsOnceFree({ host: config.opsHost, port }, setting, sources, { log })

  stopOnSignals(log, async () => {
    metrics.close()
    if (!worker.isStarted()) return
    await worker.stop()
    await bus.close()
    await db.close()
  })
  await worker.start().catch((error) => exitOnStartupError(log, error))
  endLoading()
}

export interface WorkerOptions {
  config: Config
  log: Log
  secrets: Secrets
  /** Undefined in a process that cannot open keys. */
  keyring: Keyring | undefined
  keyProviders?: ProviderSettings | undefined
  db: Database
  broker: Broker
  bus: Bus
  /** The time in which running jobs must end after `stop`. Default: 8 s. */
  drainWithinMs?: number
}

/** Prepares the workers of the roles. `start` starts them. */
export function openWorker(roles: readonly WorkerRole[], options: WorkerOptions): RunningRole {
  const { config, log, secrets, keyring, keyProviders, db, broker, bus } = options
  const clock = systemClock
  const outbound = createOutbound({ allowLoopback: config.outboundAllowLoopback })
  const status = createWorkerStatus({ db, clock, reportsService: roles.includes('scheduler') })
  let workers: RunningWorker | undefined
  let providers: KeyProvider[] = []
  return {
    measure: status.measure,
    ofService: status.ofService,
    isStarted: () => workers !== undefined,
    async start() {
      const database = waitUntilReachable(migratedDatabase(db, config.databaseUrl), log)
      await Promise.all([database, broker.waitUntilReachable(log, database)])
      if (keyring) await waitUntilKeysOpen(keyring, { db, broker, config, log })
      if (keyring && keyProviders) {
        providers = await openProviders(keyProviders, log, config.credentialDeadlineMs)
        for (const provider of providers) addProvider(keyring.custody, provider)
      }
      await bus.connected
      if (config.production) await warnOfRedisSettings(bus, log)
      const keys = createKeys(bus, config.credentialDeadlineMs)
      const { drainWithinMs } = options
      const deps = { config, db, broker, bus, keys, secrets, outbound, clock, log }
      workers = await startWorkers(roles, {
        ...deps,
        ...(keyring && { keyring }),
        ...(drainWithinMs !== undefined && { drainWithinMs }),
      })
      status.start({ db, bus, clock })
      log.info({ roles, ...(keyring && { keyEncryptionKeys: keyring.keyEncryptionKeys }) }, 'working')
    },
    async stop() {
      await status.stop()
      await workers?.stop()
      await Promise.all(providers.map((provider) => provider.close()))
      await outbound.close()
    },
  }
}

/** Waits until the database is reachable and its private keys can be opened. */
async function waitUntilKeysOpen(
  keyring: Keyring,
  { db, broker, config, log }: Pick<WorkerOptions, 'db' | 'broker' | 'config' | 'log'>,
): Promise<void> {
  const { name, address } = databaseDependency(db, config.databaseUrl)
  const reach = () => requireOpenKeys(db.read, keyring, log)
  try {
    await waitUntilReachable({ name, address, reach }, log)
  } catch (error) {
    if (error instanceof Misconfigured) await reportClosedKeys({ broker })
    throw error
  }
}
