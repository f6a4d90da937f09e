import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../db/client.ts'
import { migratedDatabase } from '../db/dependency.ts'
import { ownDocuments } from '../db/own-documents.ts'
import { systemClock } from '../shared/clock.ts'
import { readConfig } from '../shared/config.ts'
import { endStart, orEnd, untilReached } from '../shared/dependency.ts'
import { createDidResolver } from '../shared/dids/resolver.ts'
import { openBus } from '../shared/jobs/bus.ts'
import { createKeys } from '../shared/jobs/keys.ts'
import { redisDependency } from '../shared/jobs/redis.ts'
import { createLog } from '../shared/log.ts'
import { createMeasured } from '../shared/metrics/measured.ts'
import { describeProcess, tellStanding } from '../shared/metrics/process.ts'
import { serveMetrics } from '../shared/metrics/serve.ts'
import { beginStatusChanges } from '../shared/metrics/status-changes.ts'
import { createOutbound } from '../shared/outbound.ts'
import { endLoading, stopOnSignals } from '../shared/process.ts'
import { createSecrets } from '../shared/secrets.ts'
import { createAnalytics } from './analytics.ts'
import { createApp } from './app.ts'
import { createCaches } from './caches.ts'
import { createVerifiers } from './credentials/verify/verifiers.ts'
import type { Life } from './deps.ts'
import { createUploads } from './ecosystems/evidence/uploads.ts'
import { createListReader } from './ecosystems/trusted-lists/list-reader.ts'
import { createSentMarks } from './issuance/credential/sent-marks.ts'
import { listen } from './listen.ts'
import { lookAround } from './operations/service/look-around.ts'
import { createSetStatus } from './status/revocation/status-changes.ts'

const config = orEnd(() => readConfig(process.env))
const log = createLog({ process: 'web', level: config.logLevel, pretty: !config.production })
const secrets = createSecrets(config.serviceSecrets)
const db = orEnd(() => openDatabase(config.databaseUrl, { survives: 'crash' }))
const bus = openBus({ redisUrl: config.redisUrl, prefix: config.redisPrefix, secrets })
const keys = createKeys(bus, config.credentialDeadlineMs)
const analytics = createAnalytics(bus, log)
const sent = createSentMarks(db, systemClock, log)
const setStatus = createSetStatus({ db, clock: systemClock })
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
const caches = createCaches()
const verifiers = createVerifiers()
const life: Life = { phase: 'starting' }

const app = createApp({
  config,
  db,
  bus,
  keys,
  secrets,
  outbound,
  dids,
  verifiers,
  uploads: createUploads(),
  listReader: createListReader(),
  clock: systemClock,
  log,
  analytics,
  sent,
  setStatus,
  caches,
  life,
})
const { host, port, opsHost, opsPort } = config
const listener = await listen(app.callback(), host === undefined ? { port } : { host, port }).catch(fail)
describeProcess(config, 'web')
beginStatusChanges()
const measure = createMeasured(async () => {
  const { isReady, checks } = await lookAround({ db, bus, life })
  const isThere = Object.entries(checks).map(([check, found]) => [check, found === 'ok'] as const)
  tellStanding({ isReady, checks: Object.fromEntries(isThere), pools: db.pools() })
})
const metrics = await serveMetrics({ host: opsHost, port: opsPort }, { measure }).catch(fail)
log.info({ host, port, opsHost, opsPort }, 'listening')

/** Requests have this long to end; a second and more is left for what they were about, before the process is cut. */
const stopWithinMs = 8_500

stopOnSignals(log, async () => {
  if (life.phase === 'starting') return // there is nothing to end
  life.phase = 'stopping'
  await sleep(config.stopNoticeMs)
  await listener.close(stopWithinMs - config.stopNoticeMs)
  metrics.close()
  await analytics.close()
  await sent.close()
  await bus.close()
  await outbound.close()
  await db.close()
})

await Promise.all([
  untilReached(migratedDatabase(db, config.databaseUrl), log),
  untilReached(redisDependency(config.redisUrl), log),
]).catch(fail)
await bus.connected
endLoading()
life.phase = 'serving'
for (const threads of Object.values(verifiers)) threads.prepare()
log.info('serving')

function fail(error: unknown): never {
  endStart(log, error)
}
