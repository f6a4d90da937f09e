import { openDatabase } from '../db/client.ts'
import { systemClock } from '../shared/clock.ts'
import { readConfig } from '../shared/config.ts'
import { createBus } from '../shared/jobs/bus.ts'
import { createKeys } from '../shared/jobs/keys.ts'
import { createLog } from '../shared/log.ts'
import { serveMetrics } from '../shared/metrics.ts'
import { createOutbound } from '../shared/outbound.ts'
import { stopOnSignals } from '../shared/process.ts'
import { createSecrets } from '../shared/secrets.ts'
import { createAnalytics } from './analytics.ts'
import { createApp } from './app.ts'
import { createSentMarks } from './sent-marks.ts'

const config = readConfig(process.env)
const log = createLog({ process: 'web', level: config.logLevel, pretty: !config.production })
const secrets = createSecrets(config.serviceSecret)
const db = openDatabase(config.databaseUrl, { survives: 'crash' })
const bus = await createBus({ redisUrl: config.redisUrl, prefix: config.redisPrefix, secrets })
const keys = createKeys(bus, config.credentialDeadlineMs)
const analytics = createAnalytics(bus, log)
const sent = createSentMarks(db, systemClock, log)
const outbound = createOutbound({
  allowLoopback: config.outboundAllowLoopback,
  allowOrigins: config.outboundAllowOrigins,
})

const app = createApp({ config, db, bus, keys, secrets, outbound, clock: systemClock, log, analytics, sent })
const metrics = serveMetrics(config.opsPort, bus)
const server = app.listen(config.port, () => log.info({ port: config.port, opsPort: config.opsPort }, 'listening'))
// A proxy in front keeps its connections for a minute; ours must not be the first to go.
server.keepAliveTimeout = 65_000
server.requestTimeout = 30_000

stopOnSignals(log, async () => {
  metrics.close()
  server.closeIdleConnections()
  await new Promise((resolve) => server.close(resolve))
  await analytics.close()
  await sent.close()
  await bus.close()
  await outbound.close()
  await db.close()
})
