import { type BackendFactory, type IQueueBackend, Queue, Worker } from 'bullmq'
import { type Clock, dayMs, minuteMs } from '../../shared/clock.ts'
import { createSharedCounters } from '../../shared/counters.ts'
import { available } from '../../shared/jobs/available.ts'
import type { Broker, Consumer } from '../../shared/jobs/broker.ts'
import type { Bus } from '../../shared/jobs/bus.ts'
import { createCompletions } from '../../shared/jobs/completions.ts'
import { type QueueName, queues } from '../../shared/jobs/definition.ts'
import { createEmptied } from '../../shared/jobs/emptied.ts'
import { type SigningStatus, signingStatusOf } from '../../shared/jobs/heartbeat.ts'
import type { JobData } from '../../shared/jobs/job-data.ts'
import { openMachineChannels } from '../../shared/jobs/machine-channels.ts'
import { createQueueReports } from '../../shared/jobs/queue-status.ts'
import { createSender } from '../../shared/jobs/sender.ts'
import type { SocketFolder } from '../../shared/jobs/sockets/socket-folder.ts'
import type { WaitingEvents } from '../../shared/jobs/waiting-events.ts'
import { waitUntilReachable } from '../../shared/process/dependency.ts'
import type { Secrets } from '../../shared/secrets/secrets.ts'
import type { Database } from '../client.ts'
import type { Signals } from '../engine/postgres-signals.ts'
import { type ConsumerReports, createConsumerReports } from './consumer-reports.ts'
import { countInDatabase } from './counters.ts'
import { openDatabaseHeartbeats } from './database-heartbeats.ts'
import { openDatabaseQueues } from './database-queues.ts'
import { requireOneMachine } from './machine-lease.ts'
import { openQueueValues } from './open-values.ts'
import { createPokes, type Pokes } from './pokes.ts'
import type { DatabaseQueues } from './postgres-backend.ts'
import { createReplies, type Replies } from './replies.ts'
import { createRequestChannel, openRequestRows } from './request-list.ts'
import { createQueueSignals } from './signals.ts'
import type { QueueValues } from './values.ts'

interface Context {
  db: Database
  secrets: Secrets
  databaseQueues: DatabaseQueues
  values: QueueValues
  consumerReports: ConsumerReports
  replies: Replies
  /** Undefined on SQLite, where all processes look at the file. */
  signals: Signals | undefined
  pokes: Pokes
  sockets: SocketFolder | undefined
}

/**
 * Returns the broker whose queues are in the database. With SQLite, all processes run on the machine of its file. A process has one such broker.
 * Without `sockets`, requests to a signing process of its own are jobs.
 */
export function createDatabaseBroker(db: Database, secrets: Secrets, sockets?: SocketFolder): Broker {
  const values = openQueueValues(db)
  const signals = db.postgres?.openSignals()
  const replies = createReplies(values, signals)
  const queueSignals = createQueueSignals(db)
  const pokes = createPokes(signals, queueSignals)
  const databaseQueues = openDatabaseQueues(db, signals, queueSignals)
  const { dependency } = databaseQueues
  const consumerReports = createConsumerReports(values)
  const context = { db, secrets, databaseQueues, values, consumerReports, signals, replies, pokes, sockets }
  return {
    async waitUntilReachable(log, database) {
      await database
      if (dependency) await waitUntilReachable(dependency, log)
      await requireOneMachine(db, values)
    },
    openBus: () => openBus(context),
    openConsumer: (queue) => openConsumer(queue, context),
    subscribeToPokes: pokes.subscribe,
    openHeartbeats: () => openDatabaseHeartbeats(context),
    openRequestList(queue) {
      const rows = requestRowsOf(context, queue)
      return rows && openRequestRows(rows, replies.send)
    },
  }
}

const leaseMs = 90_000
const foreverMs = 100 * 365 * dayMs

function openBus(context: Context): Bus {
  const { db, secrets, databaseQueues, values, replies, pokes, sockets } = context
  const openQueues = new Map(queues.map((name) => [name, openQueue(name, databaseQueues.backend)]))
  const queue = (name: QueueName) => {
    const queue = openQueues.get(name)
    if (!queue) throw new Error(`The queue ${name} is not open.`)
    return queue
  }
  const completions = createCompletions(replies.open)
  const machine = openMachineChannels(secrets, sockets)
  const requestRows = requestRowsOf(context, 'signing')
  const requestList = requestRows && createRequestChannel(requestRows)
  const channels = requestList ? [...machine.channels, requestList] : machine.channels
  return {
    queueIn: 'database',
    connected: Promise.resolve(),
    hasSigner: () => channels.some((channel) => channel.isOpen()),
    hasSignerOnMachine: machine.isOpen,
    answerDirectly: machine.answerDirectly,
    queue,
    counters: createSharedCounters(countInDatabase(db, secrets, minuteMs)),
    dailyCounters: createSharedCounters(countInDatabase(db, secrets, dayMs), dayMs),
    waitingEvents: noWaitingEvents,
    ...createSender({ queue, secrets, completions, channels }),
    ...createQueueReports({
      timestampOf,
      openQueues,
      requestList,
      waitingEvents: noWaitingEvents,
      countWorkers: async ({ name }) => Object.keys(await values.list(`consumer:${name}`)).length,
    }),
    poke: pokes.poke,
    ping: () => available(db.ping()),
    requireWritable: async () => undefined, // the transaction that takes rows of the outbox reports it
    redisSettings: async () => undefined,
    sentinelFaults: async () => [],
    ...sharedState(context),
    async close() {
      machine.close()
      pokes.stop()
      await Promise.all([...openQueues.values()].map((each) => each.close()))
      await completions.close()
      await databaseQueues.close()
    },
  }
}

/** Returns the functions of a bus that read and write shared values. */
function sharedState({ db, values, secrets }: Context) {
  return {
    ...createEmptied({
      read: async () => (await values.get('emptied', 'at')) ?? null,
      write: (text) => values.put('emptied', 'at', text, foreverMs),
    }),
    clockAheadMs: async (clock) => (db.postgres ? available(aheadOf(values, clock)) : 0),
    signingStatus: () => available(readSigningStatus(values, secrets)),
    acquireMetricsLease: (processId) => available(values.claim('lease', 'metrics', processId, leaseMs)),
    releaseMetricsLease: (processId) => available(values.release('lease', 'metrics', processId)),
  } satisfies Partial<Bus>
}

async function readSigningStatus(values: QueueValues, secrets: Secrets): Promise<SigningStatus> {
  const [heartbeats, now] = await Promise.all([values.list('heartbeat'), values.now()])
  return signingStatusOf(heartbeats, now, secrets)
}

/** Returns how far `clock` is ahead of the clock of the database, in milliseconds. The error is at most half of a round trip. */
async function aheadOf(values: QueueValues, clock: Clock): Promise<number> {
  const sentAt = clock.now().getTime()
  const databaseAt = await values.now()
  return Math.round((sentAt + clock.now().getTime()) / 2) - databaseAt
}

function openQueue(name: QueueName, backend: BackendFactory): Queue {
  const queue = new Queue(name, { connection: {}, skipMetasUpdate: true }, backend)
  queue.on('error', () => undefined) // every call reports its own failure
  // Boundary: BullMQ types a queue by its backend. All methods that the service calls are those of each backend.
  return queue as unknown as Queue
}

async function timestampOf(queue: Queue, id: string): Promise<number> {
  return (await queue.getJob(id))?.timestamp ?? Number.NaN
}

/** Undefined on SQLite, where all processes run on one machine. */
function requestRowsOf({ db: { postgres }, signals, values }: Context, queue: QueueName) {
  return postgres && signals && { queue, postgres, signals, values }
}

function openConsumer(queue: QueueName, { databaseQueues, replies, consumerReports }: Context): Consumer {
  return {
    createWorker: (processor, options) =>
      // Boundary: as for a queue.
      new Worker<JobData, unknown, string, IQueueBackend>(
        queue,
        processor,
        { ...options, connection: {} },
        databaseQueues.backend,
      ) as unknown as Worker<JobData>,
    reply: replies.send,
    disconnect: consumerReports.add(queue),
  }
}

/** Only web processes of an earlier version append events to a list in Redis. */
const noWaitingEvents: WaitingEvents = {
  read: async () => ({ events: [], unreadable: [], entries: 0, position: 0 }),
  remove: async () => 0,
  count: async () => 0,
  waitsSince: async () => undefined,
}
