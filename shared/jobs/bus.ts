import { Queue } from 'bullmq'
import { type Clock, dayMs } from '../clock.ts'
import { type Counters, countInRedis, createSharedCounters } from '../counters.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { QueueIn } from '../settings/config.ts'
import { available } from './available.ts'
import { createCompletions } from './completions.ts'
import { type QueueName, queues } from './definition.ts'
import { createEmptied, type Emptied, redisEmptied } from './emptied.ts'
import { readHeartbeats, type SigningStatus } from './heartbeat.ts'
import type { LocalChannel } from './local-channel.ts'
import { openMachineChannels } from './machine-channels.ts'
import { acquireMetricsLease, releaseMetricsLease } from './metrics-lease.ts'
import { createQueueReports, type QueueReports, redisReports } from './queue-status.ts'
import { connectFailFast, connectPatient, type RedisConnection } from './redis.ts'
import { clockAheadMs } from './redis-clock.ts'
import { createRedisListChannel } from './redis-list-channel.ts'
import { subscribeToReplies } from './redis-replies.ts'
import { createSentinelCheck } from './redis-sentinel.ts'
import { createRedisSettingsReader, type RedisSettings } from './redis-settings.ts'
import { createSender, type JobSender } from './sender.ts'
import type { SocketFolder } from './sockets/socket-folder.ts'
import { createWaitingEvents, type WaitingEvents } from './waiting-events.ts'

/** The interface to the queues. Its functions throw `service_unavailable` at once while the broker is not reachable. */
export interface Bus extends JobSender, QueueReports, Emptied {
  /** Where the queues are. */
  readonly queueIn: QueueIn
  /** Resolves when the broker was reached for the first time. No other function may be called before. */
  connected: Promise<void>
  /** Returns whether a signing process took direct requests within the last seconds. */
  hasSigner(): boolean
  /** Returns whether a signing process of this machine takes direct requests. It has proven that it has the same `SERVICE_SECRET`. */
  hasSignerOnMachine(): boolean
  /** Makes the role signing of this process answer the direct requests of this process. Returns a function that ends it. */
  answerDirectly: LocalChannel['open']
  /** The events that the job `storeEvents` stores. */
  waitingEvents: WaitingEvents
  /** Signals to relays that the outbox has rows. Calls within 2 ms become one message. Relays poll, so that a message can be lost. */
  poke(): void
  ping(): Promise<void>
  /** Throws `service_unavailable` when Redis is not reachable, or refuses to write: it is full, read-only, or cannot save. */
  requireWritable(): Promise<void>
  /**
   * Returns how far a clock is ahead of the clock of Redis, in milliseconds. The result is negative when it is behind. 0 without Redis, because all
   * processes run on one machine.
   */
  clockAheadMs(clock: Clock): Promise<number>
  /** Reads the settings of Redis that can lose jobs, at most once in 30 s. Undefined without Redis. */
  redisSettings(): Promise<RedisSettings | undefined>
  /** Returns a sentence for each fault of the Sentinels. Empty without Sentinels. */
  sentinelFaults(): Promise<string[]>
  /** Reads the heartbeats of the signing processes. */
  signingStatus(): Promise<SigningStatus>
  /** Returns whether this process reports the metrics of the whole service. */
  acquireMetricsLease(processId: string): Promise<boolean>
  releaseMetricsLease(processId: string): Promise<void>
  /** Count per minute. */
  counters: Counters
  /** Count per day. */
  dailyCounters: Counters
  queue(name: QueueName): Queue
  close(): Promise<void>
}

/** A prefix with a hash tag, so that the keys of one queue share a slot of a Redis Cluster. */
export function queuePrefix(prefix: string, queue: QueueName): string {
  return `{${prefix}:${queue}}`
}

export const pokeChannel = (prefix: string) => `${prefix}:outbox`

interface BusOptions {
  redisUrl: string
  prefix: string
  secrets: Secrets
  /** The folder of the sockets of signing processes. Undefined if requests go over Redis. */
  sockets?: SocketFolder | undefined
}

/** Opens a bus that may not be connected yet, for a process that answers requests before Redis is reachable. */
export function openBus({ redisUrl, prefix, secrets, sockets }: BusOptions): Bus {
  const redis = connectFailFast(redisUrl)
  const completions = createCompletions((receive) => subscribeToReplies(connectPatient(redisUrl), prefix, receive))
  const machine = openMachineChannels(secrets, sockets)
  const redisList = createRedisListChannel(redis, queuePrefix(prefix, 'signing'))
  const channels = [...machine.channels, redisList]
  const waitingEvents = createWaitingEvents(redis, queuePrefix(prefix, 'analytics'))
  const openQueues = new Map<QueueName, Queue>()
  // A queue writes its settings when it is created, and a connection that fails fast accepts commands only when it is ready.
  const connected = Promise.all([waitUntilReady(redis), completions.listening]).then(() => {
    for (const name of queues) openQueues.set(name, openQueue(name, redis, prefix))
  })
  connected.catch(() => undefined) // the bus was closed before it was connected
  const queue = (name: QueueName) => {
    const queue = openQueues.get(name)
    if (!queue) throw new Error(`The queue ${name} is not open.`)
    return queue
  }
  const poker = createPoker(redis, pokeChannel(prefix))
  const readSettings = createRedisSettingsReader(redis)
  const probeKeys = redis.isCluster
    ? queues.map((name) => `${queuePrefix(prefix, name)}:writable`)
    : [`${prefix}:writable`]
  const onEachNode = (command: (key: string) => Promise<unknown>) => Promise.all(probeKeys.map(command))

  return {
    queueIn: 'redis',
    connected,
    hasSigner: () => channels.some((channel) => channel.isOpen()),
    hasSignerOnMachine: machine.isOpen,
    answerDirectly: machine.answerDirectly,
    queue,
    counters: createSharedCounters(countInRedis(redis, prefix)),
    dailyCounters: createSharedCounters(countInRedis(redis, prefix, dayMs), dayMs),
    waitingEvents,
    ...createSender({ queue, secrets, completions, channels }),
    ...createEmptied(redisEmptied(redis, prefix)),
    ...createQueueReports({ ...redisReports(redis), openQueues, requestList: redisList, waitingEvents }),
    poke: poker.poke,
    async ping() {
      await available(onEachNode((key) => redis.exists(key)))
    },
    async requireWritable() {
      await available(onEachNode((key) => redis.set(key, '1', 'EX', 60)))
    },
    clockAheadMs: (clock) => available(clockAheadMs(redis, clock)),
    redisSettings: () => available(readSettings()),
    sentinelFaults: createSentinelCheck(redisUrl),
    signingStatus: () => available(readHeartbeats(redis, { prefix, secrets })),
    acquireMetricsLease: (processId) => available(acquireMetricsLease(redis, prefix, processId)),
    releaseMetricsLease: (processId) => available(releaseMetricsLease(redis, prefix, processId)),
    async close() {
      poker.stop()
      machine.close()
      await Promise.all([...openQueues.values()].map((each) => each.close()))
      await completions.close()
      redis.disconnect()
    },
  }
}

function openQueue(name: QueueName, connection: RedisConnection, prefix: string): Queue {
  const queue = new Queue(name, {
    connection,
    prefix: queuePrefix(prefix, name),
    skipWaitingForReady: true,
    skipVersionCheck: true,
    streams: { events: { maxLen: 100 } },
  })
  queue.on('error', () => undefined) // every call reports its own failure
  return queue
}

/** Publishes one message for all calls within 2 ms. */
function createPoker(redis: RedisConnection, channel: string): { poke(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined
  return {
    poke() {
      timer ??= setTimeout(() => {
        timer = undefined
        redis.publish(channel, '').catch(() => undefined) // relays poll as well
      }, 2)
    },
    stop: () => clearTimeout(timer),
  }
}

async function waitUntilReady(redis: RedisConnection): Promise<void> {
  if (redis.status === 'ready') return
  await new Promise<void>((resolve) => redis.once('ready', resolve))
}
