import type { Database } from '../db/client.ts'
import { ownDocuments } from '../db/repos/identifiers/own-documents.ts'
import type { Clock } from '../shared/clock.ts'
import type { Config } from '../shared/config.ts'
import { createDidResolver } from '../shared/domain/identifiers/resolver.ts'
import type { Bus } from '../shared/jobs/bus.ts'
import type { QueueName } from '../shared/jobs/definition.ts'
import type { Keys } from '../shared/jobs/keys.ts'
import { connectPatient } from '../shared/jobs/redis.ts'
import type { Log } from '../shared/log.ts'
import type { Outbound } from '../shared/outbound/outbound.ts'
import type { Secrets } from '../shared/secrets.ts'
import { analyticsHandlers } from './analytics/handlers.ts'
import { answerDirectRequests } from './answer-direct-requests.ts'
import { createGate, deliverySlots } from './delivery/gate.ts'
import { deliveryHandlers } from './delivery/handlers.ts'
import type { Duty } from './duties.ts'
import { startHeartbeat } from './heartbeat.ts'
import { createListThreads } from './integrations/deps.ts'
import { integrationHandlers, integrationSlots } from './integrations/handlers.ts'
import { beginAtZero } from './metrics.ts'
import { publishingHandlers } from './publishing/handlers.ts'
import { startRelay } from './relay.ts'
import { startScheduler } from './scheduler.ts'
import { type ServeOptions, serveQueue } from './serve.ts'
import type { Keyring } from './signing/keyring.ts'
import { upkeepHandlers } from './upkeep/handlers.ts'

export interface StartOptions {
  config: Config
  prefix: string
  db: Database
  bus: Bus
  keys: Keys
  secrets: Secrets
  outbound: Outbound
  clock: Clock
  log: Log
  /** Instead of the delivery schedule's; tests have no half days. */
  retryPausesMs?: readonly number[]
  /** Only where `signing` or `signing-bulk` is a duty: no other process can open keys. */
  keyring?: Keyring
}

export interface Running {
  stop(): Promise<void>
}

/** Starts the duties; `stop` lets running jobs end. */
export async function startWorkers(wanted: readonly Duty[], options: StartOptions): Promise<Running> {
  beginAtZero(wanted)
  const running = await Promise.all(wanted.map((duty) => startDuty(duty, options)))
  return {
    async stop() {
      await Promise.all(running.map((each) => each.stop()))
    },
  }
}

/**
 * A list is right within five seconds, also when its publisher, or who looks for lists that changed, was killed. One that only stood
 * still for so long does no harm: of two publishers one publishes.
 */
const listTakeoverMs = 2_000

/** Not where nobody signs: it is half of the code. */
const loadSigning = () => import('./signing/open.ts')

async function startDuty(duty: Duty, options: StartOptions): Promise<Running> {
  switch (duty) {
    case 'relay':
      return startRelay(options, connectPatient(options.config.redisUrl), options.prefix)
    case 'scheduler':
      return withHeart(startScheduler(options), options)
    case 'signing': {
      const { signingHandlers, withKeys } = await loadSigning()
      const heart = startHeartbeat(options, 'working')
      const handlers = signingHandlers(withKeys(options))
      const queue = serve('signing', handlers, options, { concurrency: signingSlots, takeoverMs: 3_000 })
      const asks = listen('signing', handlers, options)
      return { stop: async () => void (await Promise.all([asks.stop(), queue.stop(), heart.stop()])) }
    }
    case 'signing-bulk': {
      const { bulkSigningHandlers, withKeys } = await loadSigning()
      // Two, so that keys of many tenants, which take their time, do not hold up lists.
      const limits = { concurrency: 2, takeoverMs: listTakeoverMs }
      return serve('signing-bulk', bulkSigningHandlers(withKeys(options)), options, limits)
    }
    case 'delivery': {
      const gate = createGate()
      const limits = { concurrency: deliverySlots, takeoverMs: 5_000 }
      const { config, outbound, clock } = options
      const resolving = { outbound, clock, findOwn: ownDocuments(options), allowLoopback: config.outboundAllowLoopback }
      const dids = createDidResolver(resolving)
      const queue = serve('delivery', deliveryHandlers({ ...options, gate, dids }), options, limits)
      return {
        async stop() {
          gate.close()
          await queue.stop()
        },
      }
    }
    case 'analytics':
      return serve('analytics', analyticsHandlers(options), options, { concurrency: 1, takeoverMs: 5_000 })
    case 'upkeep':
      // So many that what takes long does not hold up the recoveries.
      return serve('upkeep', upkeepHandlers(options), options, { concurrency: 4, takeoverMs: 5_000 })
    case 'publishing': {
      const lists = { concurrency: 4, takeoverMs: listTakeoverMs }
      // A queue of its own: servers of others take their time, and our lists do not wait for them.
      const others = { concurrency: integrationSlots, takeoverMs: 5_000 }
      const queues = [
        serve('publishing', publishingHandlers(options), options, lists),
        serve('integrations', integrationHandlers({ ...options, lists: createListThreads() }), options, others),
      ]
      return { stop: async () => void (await Promise.all(queues.map((each) => each.stop()))) }
    }
  }
}

/** A signing process beats by its duty `signing`. */
function withHeart(running: Running, options: StartOptions): Running {
  if (options.keyring) return running
  const heart = startHeartbeat(options, 'worker')
  return { stop: async () => void (await Promise.all([running.stop(), heart.stop()])) }
}

function serve(
  queue: QueueName,
  handlers: ServeOptions['handlers'],
  { config, prefix, secrets, log }: StartOptions,
  limits: { concurrency: number; takeoverMs: number },
): Running {
  const connection = connectPatient(config.redisUrl)
  const replies = connectPatient(config.redisUrl)
  const worker = serveQueue({ queue, handlers, connection, replies, prefix, secrets, log, ...limits })
  return { stop: () => endWithin(worker.close(), [connection, replies]) }
}

/** How many jobs a signing process has under way, and how many of what is asked without one. */
const signingSlots = 8

/** For what is asked of a queue over its list. */
function listen(queue: QueueName, handlers: ServeOptions['handlers'], options: StartOptions): Running {
  const { config, prefix, secrets, bus, log } = options
  const [connection, replies] = [connectPatient(config.redisUrl), connectPatient(config.redisUrl)]
  const concurrency = signingSlots
  const ear = answerDirectRequests({ queue, handlers, connection, replies, prefix, secrets, bus, log, concurrency })
  return { stop: () => endWithin(ear.stop(), [connection, replies]) }
}

const drainMs = 8_000

/** BullMQ waits without limit for running jobs; what is not done in time is taken over by another worker. */
async function endWithin(ended: Promise<void>, connections: { disconnect(): void }[]): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, drainMs)
  await Promise.race([ended, late])
  clearTimeout(timer)
  for (const connection of connections) connection.disconnect()
}
