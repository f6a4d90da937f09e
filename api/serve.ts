import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openDatabase } from '../db/client.ts'
import { migratedDatabase } from '../db/engine/dependency.ts'
import { standbyOptions } from '../db/engine/standby-options.ts'
import { openBroker } from '../db/queue/open-broker.ts'
import { ownDocuments } from '../db/repos/identifiers/own-documents.ts'
import { systemClock } from '../shared/clock.ts'
import { createDidResolver } from '../shared/domain/identifiers/resolver.ts'
import type { Broker } from '../shared/jobs/broker.ts'
import type { Bus } from '../shared/jobs/bus.ts'
import { createKeys } from '../shared/jobs/keys.ts'
import { warnOfRedisSettings } from '../shared/jobs/redis-settings.ts'
import type { Log } from '../shared/log/log.ts'
import { beginLostEvents } from '../shared/metrics/lost-events.ts'
import { createMeasured } from '../shared/metrics/measured.ts'
import { describeProcess, reportStatus } from '../shared/metrics/process.ts'
import { serveMetrics } from '../shared/metrics/serve.ts'
import { beginStatusChanges } from '../shared/metrics/status-changes.ts'
import { createOutbound } from '../shared/outbound/outbound.ts'
import { exitIfMisconfigured, exitOnStartupError, waitUntilReachable } from '../shared/process/dependency.ts'
import { endLoading, stopOnSignals } from '../shared/process/process.ts'
import type { RunningRole } from '../shared/process/roles.ts'
import { createSecrets, type Secrets } from '../shared/secrets/secrets.ts'
import type { Config } from '../shared/settings/config.ts'
import { createAnalytics } from './analytics/analytics.ts'
import { createApp } from './app.ts'
import type { Deps } from './deps.ts'
import { createUploadLimiter } from './ecosystems/evidence/uploads.ts'
import { createLargeAnswers } from './http/large-answers.ts'
import { createDownloadLimiter } from './issuance/bulk/downloads.ts'
import { listen } from './listen.ts'
import { checkReadiness } from './operations/service/readiness-check.ts'
import { createCaches } from './process/caches.ts'
import type { Lifecycle } from './process/lifecycle.ts'
import { createServices } from './process/services.ts'

/** The time in which requests must end. After it, more than a second is left to close the dependencies before the process is killed. */
const stopWithinMs = 8_500

/** Runs a process of the role web. Resolves when it serves. Exits with one log line if it cannot start. */
export async function serve(config: Config, log: Log): Promise<void> {
  const { opsHost, opsPort } = config
  const fail = (error: unknown): never => exitOnStartupError(log, error)
  const secrets = createSecrets(config.serviceSecrets, config)
  const db = exitIfMisconfigured(() => openWebDatabase(config, log))
  const broker = openBroker(config, { db, secrets })
  const bus = broker.openBus()
  const web = await openWeb({ config, log, secrets, db, broker, bus, stopWithinMs }).catch(fail)
  describeProcess(config, ['web'])
  const sources = { measure: createMeasured(web.measure) }
  const metrics = await serveMetrics({ host: opsHost, port: opsPort }, sources).catch(fail)

  stopOnSignals(log, async () => {
    if (!web.isStarted()) return
    await web.stop()
    metrics.close()
    await bus.close()
    await db.close()
  })
  await web.start().catch(fail)
}

/** Opens the database with the options of the role web. Throws Misconfigured. */
export function openWebDatabase(config: Config, log: Log): Database {
  return openDatabase(config.databaseUrl, { survives: 'crash', standby: standbyOptions(config, log) })
}

export interface WebOptions {
  config: Config
  log: Log
  secrets: Secrets
  db: Database
  broker: Broker
  bus: Bus
  /** The time in which requests must end after `stop`, with `STOP_NOTICE_MS`. */
  stopWithinMs: number
}

/** Opens the port of the API. Until `start`, only `/health` answers. Throws Misconfigured if it cannot listen. */
export async function openWeb(options: WebOptions): Promise<RunningRole> {
  const { config, log, db, broker, bus, stopWithinMs } = options
  const { host, port, opsHost, opsPort } = config
  const deps = openDeps(options)
  const { lifecycle } = deps
  const listener = await listen(createApp(deps).callback(), host === undefined ? { port } : { host, port })
  beginStatusChanges()
  beginLostEvents(['buffer_full', 'tenant_unknown', 'invalid'])
  log.info({ host, port, opsHost, opsPort }, 'listening')
  return {
    measure: () => measureStatus(deps),
    isStarted: () => lifecycle.phase !== 'starting',
    async start() {
      const database = waitUntilReachable(migratedDatabase(db, config.databaseUrl), log)
      await Promise.all([database, broker.waitUntilReachable(log, database)])
      const damage = db.findDamage()
      if (damage !== undefined) log.error({ damage }, 'database damaged')
      await bus.connected
      if (config.production) await warnOfRedisSettings(bus, log)
      endLoading()
      lifecycle.phase = 'serving'
      log.info('serving')
    },
    async stop() {
      lifecycle.phase = 'stopping'
      await sleep(config.stopNoticeMs)
      const { isCutOff } = await listener.close(stopWithinMs - config.stopNoticeMs)
      if (isCutOff) log.warn('connections cut off, their requests did not end in time')
      await deps.analytics.close()
      await deps.services.close()
      await deps.outbound.close()
    },
  }
}

function openDeps({ config, log, secrets, db, bus }: WebOptions) {
  const outbound = createOutbound({
    allowLoopback: config.outboundAllowLoopback,
    allowOrigins: config.outboundAllowOrigins,
  })
  const dids = createDidResolver({
    outbound,
    clock: systemClock,
    findOwn: ownDocuments({ db, config, clock: systemClock }),
    allowLoopback: config.outboundAllowLoopback,
  })
  const lifecycle: Lifecycle = { phase: 'starting' }
  return {
    config,
    db,
    bus,
    keys: createKeys(bus, config.credentialDeadlineMs),
    secrets,
    outbound,
    dids,
    uploads: createUploadLimiter(),
    downloads: createDownloadLimiter(),
    clock: systemClock,
    log,
    analytics: createAnalytics({ db, clock: systemClock, log }),
    caches: createCaches(),
    services: createServices({ db, secrets, clock: systemClock, log, lifecycle }),
    largeAnswers: createLargeAnswers(),
    withoutSlot: <Result>(work: Promise<Result>) => work,
    lifecycle,
  }
}

async function measureStatus(
  deps: Pick<Deps, 'db' | 'bus' | 'clock' | 'config' | 'lifecycle' | 'caches'>,
): Promise<void> {
  const { isReady, checks, clockAheadMs, redisSettings, standby } = await checkReadiness(deps)
  const available = Object.entries(checks).map(([check, result]) => [check, result === 'ok'] as const)
  const status = { isReady, checks: Object.fromEntries(available), pools: deps.db.pools(), clockAheadMs, redisSettings }
  reportStatus({ ...status, standbyLagSeconds: standby?.lagSeconds })
}
