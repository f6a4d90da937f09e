import { type Database, openDatabase } from '../../db/client.ts'
import { openBroker } from '../../db/queue/open-broker.ts'
import { systemClock } from '../../shared/clock.ts'
import type { Broker } from '../../shared/jobs/broker.ts'
import type { Bus } from '../../shared/jobs/bus.ts'
import { createKeys } from '../../shared/jobs/keys.ts'
import { patientKeys } from '../../shared/jobs/patient-keys.ts'
import type { ConsoleLinks } from '../../shared/launcher/console-links.ts'
import type { Log } from '../../shared/log/log.ts'
import { createMeasured } from '../../shared/metrics/measured.ts'
import { describeProcess } from '../../shared/metrics/process.ts'
import { type MetricsServer, serveMetrics } from '../../shared/metrics/serve.ts'
import { exitIfMisconfigured, exitOnStartupError } from '../../shared/process/dependency.ts'
import { endLoading, stopOnSignals } from '../../shared/process/process.ts'
import type { ProcessRole, RunningRole } from '../../shared/process/roles.ts'
import { createSecrets, type Secrets } from '../../shared/secrets/secrets.ts'
import type { Config } from '../../shared/settings/config.ts'
import { openWorker } from '../../workers/run-worker.ts'
import { createKeyring } from '../../workers/signing/keys/keyring.ts'
import type { ProviderSettings } from '../../workers/signing/keys/open-providers.ts'
import type { KeyEncryptionKey } from '../../workers/signing/keys/wrapping.ts'
import { workerRolesOf } from '../../workers/worker-roles.ts'
import { prepareDemo } from '../cli/prepare.ts'
import { openWeb, openWebDatabase } from '../serve.ts'

export interface RunOptions {
  config: Config
  /** Set if the role signing is in this process. */
  keyEncryptionKeys: KeyEncryptionKey[] | undefined
  /** Set if the role signing is in this process. */
  keyProviders: ProviderSettings | undefined
  /** Receives the links to the consoles of the platform and the demo tenant. They are created before the role web serves. Undefined without a demo. */
  onDemo: ((links: ConsoleLinks | undefined) => Promise<void>) | undefined
}

/** The time in which all roles must end, within the 10 s of `stopOnSignals`. After it, more than a second is left to close what they share. */
const stopWithinMs = 8_500
/** The time for the roles that end before the role signing. */
const beforeSigningMs = 5_000
/** The time of it that requests have after `STOP_NOTICE_MS` at least. */
const requestsWithinMs = 3_000

/**
 * Returns the time limits for the end of the roles. The role web ends before the role signing, which answers its last requests. Without the
 * role signing, the others end at the same time.
 */
function limitsOf(roles: ReadonlyMap<ProcessRole, Log>, { stopNoticeMs }: Config): Record<ProcessRole, number> {
  if (!roles.has('signing')) return { web: stopWithinMs, worker: 8_000, signing: 0 }
  const first = Math.max(beforeSigningMs, stopNoticeMs + requestsWithinMs)
  return { web: first, worker: first, signing: stopWithinMs - first }
}

interface Shared {
  config: Config
  secrets: Secrets
  broker: Broker
  bus: Bus
}

/** Runs several roles in one process. `logs` has the log of each role. Resolves when all roles accept work. */
export async function runRoles(logs: ReadonlyMap<ProcessRole, Log>, options: RunOptions): Promise<void> {
  const { config, onDemo } = options
  const [log] = logs.values()
  if (!log) throw new Error('A process needs a role.')
  const fail = (error: unknown): never => exitOnStartupError(log, error)
  const secrets = createSecrets(config.serviceSecrets, config)
  const databases = exitIfMisconfigured(() => openDatabases(logs, config))
  const [db] = Object.values(databases)
  if (!db) throw new Error('A process needs a database.')
  const broker = openBroker(config, { db, secrets })
  const bus = broker.openBus()
  const shared = { config, secrets, broker, bus }
  const roles = await openRoles(logs, databases, shared, options).catch(fail)
  describeProcess(config, [...logs.keys()])
  const metrics = await serveRoles(roles, config).catch(fail)

  stopOnSignals(log, async () => {
    metrics.close()
    const { web, worker, signing } = roles
    await Promise.all([stopStarted(web), stopStarted(worker)])
    await stopStarted(signing)
    await bus.close()
    for (const db of new Set(Object.values(databases))) await db.close()
  })
  const { web, ...workers } = roles
  await Promise.all(Object.values(workers).map((role) => role.start())).catch(fail)
  endLoading()
  if (onDemo && databases.web) await createDemo(databases.web, shared).then(onDemo).catch(fail)
  await web?.start().catch(fail)
}

/** Creates the platform and the demo tenant if they are missing. Waits for the keys as long as the signing process needs to start. */
async function createDemo(db: Database, { config, secrets, bus }: Shared): Promise<ConsoleLinks | undefined> {
  await bus.connected
  const keys = patientKeys(createKeys(bus, config.credentialDeadlineMs), async () => true)
  return prepareDemo({ config, db, clock: systemClock, keys }, secrets)
}

/**
 * Opens a database for each role. On SQLite, the roles web and worker share one, because both survive the same failures. The role signing has a separate one,
 * whose commits wait for the disk. On PostgreSQL, each role has the connections of its own process.
 */
function openDatabases(logs: ReadonlyMap<ProcessRole, Log>, config: Config): Partial<Record<ProcessRole, Database>> {
  const { databaseUrl } = config
  const webLog = logs.get('web')
  const web = webLog && openWebDatabase(config, webLog)
  const canShare = databaseUrl.startsWith('file:')
  const open = (survives: 'crash' | 'powerLoss') => openDatabase(databaseUrl, { survives })
  return {
    ...(web && { web }),
    ...(logs.has('worker') && { worker: (canShare && web) || open('crash') }),
    ...(logs.has('signing') && { signing: open('powerLoss') }),
  }
}

type Roles = Partial<Record<ProcessRole, RunningRole>>

async function openRoles(
  logs: ReadonlyMap<ProcessRole, Log>,
  databases: Partial<Record<ProcessRole, Database>>,
  shared: Shared,
  { keyEncryptionKeys, keyProviders }: RunOptions,
): Promise<Roles> {
  const roles: Roles = {}
  const within = limitsOf(logs, shared.config)
  for (const [role, log] of logs) {
    const db = databases[role]
    if (!db) throw new Error(`The role ${role} has no database.`)
    const keyring =
      role === 'signing' && keyEncryptionKeys
        ? createKeyring(keyEncryptionKeys, shared.config.sealFormat, shared.config.keyPolicy)
        : undefined
    roles[role] =
      role === 'web'
        ? await openWeb({ ...shared, log, db, stopWithinMs: within.web })
        : openWorker(workerRolesOf[role], {
            ...shared,
            log,
            db,
            keyring,
            keyProviders: keyring && keyProviders,
            drainWithinMs: within[role],
          })
  }
  return roles
}

/** Serves the metrics of the process once, on the port of its first role. */
function serveRoles({ web, worker, signing }: Roles, config: Config): Promise<MetricsServer> {
  const [role, port] = web
    ? [web, config.opsPort]
    : worker
      ? [worker, config.workerOpsPort]
      : [signing, config.signingOpsPort]
  if (!role) throw new Error('A process needs a role.')
  const sources = { measure: createMeasured(role.measure), ...(worker?.ofService && { ofService: worker.ofService }) }
  return serveMetrics({ host: config.opsHost, port }, sources)
}

async function stopStarted(role: RunningRole | undefined): Promise<void> {
  if (role?.isStarted()) await role.stop()
}
