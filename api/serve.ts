import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../db/client.ts'
import { migratedDatabase } from '../db/engine/dependency.ts'
import { ownDocuments } from '../db/repos/identifiers/own-documents.ts'
import { systemClock } from '../shared/clock.ts'
import type { Config } from '../shared/config.ts'
import { exitIfMisconfigured, exitOnStartupError, waitUntilReachable } from '../shared/dependency.ts'
import { createDidResolver } from '../shared/domain/identifiers/resolver.ts'
import { openBus } from '../shared/jobs/bus.ts'
import { createKeys } from '../shared/jobs/keys.ts'
import { redisDependency } from '../shared/jobs/redis.ts'
import { warnOfRedisSettings } from '../shared/jobs/redis-settings.ts'
import type { Log } from '../shared/log.ts'
import { createMeasured } from '../shared/metrics/measured.ts'
import { describeProcess, reportStatus } from '../shared/metrics/process.ts'
import { serveMetrics } from '../shared/metrics/serve.ts'
import { beginStatusChanges } from '../shared/metrics/status-changes.ts'
import { createOutbound } from '../shared/outbound/outbound.ts'
import { endLoading, stopOnSignals } from '../shared/process.ts'
import { createSecrets } from '../shared/secrets.ts'
import { createAnalytics } from './analytics/analytics.ts'
import { createApp } from './app.ts'
import { createCaches } from './caches.ts'
import { createVerifiers } from './credentials/verify/verifiers.ts'
import type { Deps, Life } from './deps.ts'
import { createUploadLimiter } from './ecosystems/evidence/uploads.ts'
import { createListReader } from './ecosystems/trusted-lists/list-reader.ts'
import { createLargeAnswers } from './http/large-answers.ts'
import { createSentMarks } from './issuance/credential/sent-marks.ts'
import { listen } from './listen.ts'
import { checkReadiness } from './operations/service/readiness-check.ts'
import { createSetStatus } from './status/revocation/status-changes.ts'

/** Requests have this long to end; a second and more is left for what they were about, before the process is cut. */
const stopWithinMs = 8_500

/** Runs the web process. Resolves once it serves; a process that cannot start ends with one line. */
export async function serve(config: Config, log: Log): Promise<void> {
  const deps = openDeps(config, log)
  const { db, bus, life } = deps
  const { host, port, opsHost, opsPort } = config
  const fail = (error: unknown): never => exitOnStartupError(log, error)
  const listener = await listen(createApp(deps).callback(), host === undefined ? { port } : { host, port }).catch(fail)
  describeProcess(config, 'web')
  beginStatusChanges()
  const measure = createMeasured(() => measureStanding(deps))
  const metrics = await serveMetrics({ host: opsHost, port: opsPort }, { measure }).catch(fail)
  log.info({ host, port, opsHost, opsPort }, 'listening')

  stopOnSignals(log, async () => {
    if (life.phase === 'starting') return // there is nothing to end
    life.phase = 'stopping'
    await sleep(config.stopNoticeMs)
    await listener.close(stopWithinMs - config.stopNoticeMs)
    metrics.close()
    await deps.analytics.close()
    await deps.sent.close()
    await bus.close()
    await deps.outbound.close()
    await db.close()
  })

  await Promise.all([
    waitUntilReachable(migratedDatabase(db, config.databaseUrl), log),
    waitUntilReachable(redisDependency(config.redisUrl), log),
  ]).catch(fail)
  const damage = db.findDamage()
  if (damage !== undefined) log.error({ damage }, 'the database is damaged')
  await bus.connected
  if (config.production) await warnOfRedisSettings(bus, log)
  endLoading()
  life.phase = 'serving'
  for (const threads of Object.values(deps.verifiers)) threads.prepare()
  log.info('serving')
}

function openDeps(config: Config, log: Log) {
  const secrets = createSecrets(config.serviceSecrets)
  const db = exitIfMisconfigured(() => openDatabase(config.databaseUrl, { survives: 'crash' }))
  const bus = openBus({ redisUrl: config.redisUrl, prefix: config.redisPrefix, secrets })
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
  const life: Life = { phase: 'starting' }
  return {
    config,
    db,
    bus,
    keys: createKeys(bus, config.credentialDeadlineMs),
    secrets,
    outbound,
    dids,
    verifiers: createVerifiers(),
    uploads: createUploadLimiter(),
    listReader: createListReader(),
    clock: systemClock,
    log,
    analytics: createAnalytics(bus, log),
    sent: createSentMarks(db, systemClock, log),
    setStatus: createSetStatus({ db, clock: systemClock }),
    caches: createCaches(),
    largeAnswers: createLargeAnswers(),
    withoutSlot: <Result>(work: Promise<Result>) => work,
    life,
  }
}

async function measureStanding(deps: Pick<Deps, 'db' | 'bus' | 'clock' | 'config' | 'life' | 'caches'>): Promise<void> {
  const { isReady, checks, clockAheadMs, redisSettings } = await checkReadiness(deps)
  const isThere = Object.entries(checks).map(([check, found]) => [check, found === 'ok'] as const)
  reportStatus({ isReady, checks: Object.fromEntries(isThere), pools: deps.db.pools(), clockAheadMs, redisSettings })
}
