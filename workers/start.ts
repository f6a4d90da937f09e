import type { Database } from '../db/client.ts'
import { ownDocuments } from '../db/repos/identifiers/own-documents.ts'
import type { Clock } from '../shared/clock.ts'
import { createDidResolver } from '../shared/domain/identifiers/resolver.ts'
import type { Broker } from '../shared/jobs/broker.ts'
import type { Bus } from '../shared/jobs/bus.ts'
import type { QueueName } from '../shared/jobs/definition.ts'
import type { Keys } from '../shared/jobs/keys.ts'
import { socketFolderOf } from '../shared/jobs/sockets/socket-folder.ts'
import type { Log } from '../shared/log/log.ts'
import type { Outbound } from '../shared/outbound/outbound.ts'
import type { Secrets } from '../shared/secrets/secrets.ts'
import type { Config } from '../shared/settings/config.ts'
import { analyticsHandlers } from './analytics/handlers.ts'
import { createAttemptLimiter, deliverySlots } from './delivery/attempt-limiter.ts'
import { deliveryHandlers } from './delivery/handlers.ts'
import { createListThreads } from './integrations/deps.ts'
import { integrationHandlers, integrationSlots } from './integrations/handlers.ts'
import { answerDirectRequests } from './jobs/answer-direct-requests.ts'
import { createDirectAnswerer } from './jobs/direct-answerer.ts'
import { startHeartbeat } from './jobs/heartbeat.ts'
import { initializeCounters } from './jobs/metrics.ts'
import { startRelay } from './jobs/relay.ts'
import { startScheduler } from './jobs/scheduler.ts'
import { listenOnSocket } from './jobs/signing-socket.ts'
import { publishingHandlers } from './publishing/handlers.ts'
import { type ServeOptions, serveQueue } from './serve.ts'
import { createIssuanceCounts, type IssuanceCounts } from './signing/issuance-counts.ts'
import type { Keyring } from './signing/keys/keyring.ts'
import { createWalletActivity, type WalletActivity } from './signing/wallet-activity.ts'
import { upkeepHandlers } from './upkeep/handlers.ts'
import type { WorkerRole } from './worker-roles.ts'

export interface StartOptions {
  config: Config
  broker: Broker
  db: Database
  bus: Bus
  keys: Keys
  secrets: Secrets
  outbound: Outbound
  clock: Clock
  log: Log
  /** Replaces the pauses of the delivery schedule, in tests. */
  retryPausesMs?: readonly number[]
  /** Replaces the pause of the relay after a batch that was not full, in tests. */
  relayGatherMs?: number
  /** The time in which running jobs must end after `stop`. Another worker takes over a job that has not ended by then. Default: 8 s. */
  drainWithinMs?: number
  /** Required by the roles `signing` and `signing-bulk`. A process without them cannot open keys. */
  keyring?: Keyring
}

export interface RunningWorker {
  stop(): Promise<void>
}

/** Starts the workers of the roles. `stop` waits for running jobs, for a limited time. */
export async function startWorkers(roles: readonly WorkerRole[], options: StartOptions): Promise<RunningWorker> {
  initializeCounters(roles)
  const walletActivity = createWalletActivity()
  const issuanceCounts = createIssuanceCounts(options)
  const shared = { ...options, walletActivity, issuanceCounts }
  const running = await Promise.all(roles.map((role) => startRole(role, shared)))
  return {
    async stop() {
      await Promise.all(running.map((each) => each.stop()))
      await issuanceCounts.close()
    },
  }
}

/**
 * A changed list is published within five seconds, also if its worker is killed. If the worker was only slow, two workers publish the same
 * list, and one of them commits.
 */
const listTakeoverMs = 2_000

/** Loads the signing modules, which are half of the code. Only signing processes need them. */
const loadSigning = () => import('./signing/create-signing-deps.ts')

interface RoleOptions extends StartOptions {
  walletActivity: WalletActivity
  issuanceCounts: IssuanceCounts
}

async function startRole(role: WorkerRole, options: RoleOptions): Promise<RunningWorker> {
  switch (role) {
    case 'relay':
      return startRelay(options, options.broker, options.relayGatherMs)
    case 'scheduler':
      return withHeartbeat(startScheduler(options), options)
    case 'signing': {
      const { signingHandlers, createSigningDeps, statesOfProviders } = await loadSigning()
      const deps = createSigningDeps(options)
      const keyProviders = () => statesOfProviders(deps.keyring.custody)
      const heartbeat = startHeartbeat({ ...options, keyProviders }, 'working')
      const handlers = signingHandlers(deps)
      const queue = serve('signing', handlers, options, { concurrency: signingSlots, takeoverMs: 3_000 })
      const direct = [answerList('signing', handlers, options), await answerOnMachine('signing', handlers, options)]
      return { stop: async () => void (await Promise.all([...direct, queue, heartbeat].map((each) => each.stop()))) }
    }
    case 'signing-bulk': {
      const { bulkSigningHandlers, createSigningDeps } = await loadSigning()
      // Two, because a rotation of the keys of many tenants takes long and must not delay lists.
      const limits = { concurrency: 2, takeoverMs: listTakeoverMs }
      return serve('signing-bulk', bulkSigningHandlers(createSigningDeps(options)), options, limits)
    }
    case 'delivery': {
      const attemptLimiter = createAttemptLimiter()
      const limits = { concurrency: deliverySlots, takeoverMs: 5_000 }
      const { config, outbound, clock } = options
      const resolverOptions = {
        outbound,
        clock,
        findOwn: ownDocuments(options),
        allowLoopback: config.outboundAllowLoopback,
      }
      const dids = createDidResolver(resolverOptions)
      const queue = serve('delivery', deliveryHandlers({ ...options, attemptLimiter, dids }), options, limits)
      return {
        async stop() {
          attemptLimiter.close()
          await queue.stop()
        },
      }
    }
    case 'analytics':
      return serve('analytics', analyticsHandlers(options), options, { concurrency: 1, takeoverMs: 5_000 })
    case 'upkeep':
      // Four, so that long jobs do not delay the recoveries.
      return serve('upkeep', upkeepHandlers(options), options, { concurrency: 4, takeoverMs: 5_000 })
    case 'publishing': {
      const lists = { concurrency: 4, takeoverMs: listTakeoverMs }
      // External servers are slow. A separate queue keeps them from delaying the lists of this service.
      const integrations = { concurrency: integrationSlots, takeoverMs: 5_000 }
      const queues = [
        serve('publishing', publishingHandlers(options), options, lists),
        serve('integrations', integrationHandlers({ ...options, lists: createListThreads() }), options, integrations),
      ]
      return { stop: async () => void (await Promise.all(queues.map((each) => each.stop()))) }
    }
  }
}

/** Adds a heartbeat. In a signing process the role `signing` sends it. */
function withHeartbeat(running: RunningWorker, options: StartOptions): RunningWorker {
  if (options.keyring) return running
  const heartbeat = startHeartbeat(options, 'worker')
  return { stop: async () => void (await Promise.all([running.stop(), heartbeat.stop()])) }
}

function serve(
  queue: QueueName,
  handlers: ServeOptions['handlers'],
  { broker, secrets, log, drainWithinMs }: StartOptions,
  limits: { concurrency: number; takeoverMs: number },
): RunningWorker {
  const consumer = broker.openConsumer(queue)
  const worker = serveQueue({ queue, handlers, consumer, secrets, log, ...limits })
  return { stop: () => disconnectAfter(worker.close(), [consumer], drainWithinMs) }
}

/** Limits the concurrent jobs of a signing process, and separately its concurrent direct requests of each way. */
const signingSlots = 8

/** Answers the direct requests of this process, and those of other processes of the machine over a socket. */
async function answerOnMachine(
  queue: QueueName,
  handlers: ServeOptions['handlers'],
  { bus, config, secrets, log, drainWithinMs }: StartOptions,
): Promise<RunningWorker> {
  const { answer, ended } = createDirectAnswerer({ queue, handlers, log, concurrency: signingSlots })
  const closeLocal = bus.answerDirectly(answer)
  const folder = socketFolderOf(config)
  const socket =
    folder && (await listenOnSocket({ folder, secrets, log, answer }).catch((err) => void log.warn({ err }, noSocket)))
  return {
    stop() {
      closeLocal()
      socket?.close()
      return disconnectAfter(ended(), socket ? [socket] : [], drainWithinMs)
    },
  }
}

const noSocket = 'signing socket not available, requests of other processes come over the queues'

/** Starts the listener for the direct requests of other machines. */
function answerList(queue: QueueName, handlers: ServeOptions['handlers'], options: StartOptions): RunningWorker {
  const { broker, secrets, bus, log, drainWithinMs } = options
  const list = broker.openRequestList(queue)
  if (!list) return { stop: async () => undefined }
  const listener = answerDirectRequests({ queue, handlers, list, secrets, bus, log, concurrency: signingSlots })
  return { stop: () => disconnectAfter(listener.stop(), [list], drainWithinMs) }
}

const defaultDrainMs = 8_000

/** Disconnects after running jobs have ended, or after a timeout. */
async function disconnectAfter(
  ended: Promise<void>,
  connections: { disconnect(): void }[],
  drainWithinMs = defaultDrainMs,
): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, drainWithinMs)
  await Promise.race([ended, timeout])
  clearTimeout(timer)
  for (const connection of connections) connection.disconnect()
}
