import { Worker } from 'bullmq'
import { waitUntilReachable } from '../process/dependency.ts'
import type { Secrets } from '../secrets/secrets.ts'
import type { Config } from '../settings/config.ts'
import type { Broker, Consumer, Heartbeats, PokeSubscription } from './broker.ts'
import { openBus, pokeChannel, queuePrefix } from './bus.ts'
import type { QueueName } from './definition.ts'
import { removeEndedProcesses, removeProcess, writeHeartbeat } from './heartbeat.ts'
import type { JobData } from './job-data.ts'
import { connectFailFast, connectPatient, type RedisConnection, redisDependency } from './redis.ts'
import { publishTo } from './redis-replies.ts'
import { createRedisRequestList } from './redis-request-list.ts'
import { subscribeTo } from './redis-subscription.ts'
import { type SocketFolder, socketFolderOf } from './sockets/socket-folder.ts'

export interface RedisBrokerOptions {
  redisUrl: string
  prefix: string
  secrets: Secrets
  /** The folder of the sockets of signing processes. Undefined if requests go over Redis. */
  sockets?: SocketFolder | undefined
}

/** Returns the options of a process, whose direct requests go over sockets where they can. */
export function redisBrokerOptions(config: Config, secrets: Secrets): RedisBrokerOptions {
  return { redisUrl: config.redisUrl, prefix: config.redisPrefix, secrets, sockets: socketFolderOf(config) }
}

/** Returns the broker whose queues are in Redis. Opens no connection. */
export function createRedisBroker(options: RedisBrokerOptions): Broker {
  const { redisUrl, prefix } = options
  return {
    waitUntilReachable: (log) => waitUntilReachable(redisDependency(redisUrl), log),
    openBus: () => openBus(options),
    openConsumer: (queue) => openConsumer(queue, options),
    subscribeToPokes: (wake) => subscribe(connectPatient(redisUrl), pokeChannel(prefix), wake),
    openHeartbeats: ({ failFast } = { failFast: false }) =>
      openHeartbeats(failFast ? connectFailFast(redisUrl) : connectPatient(redisUrl), options),
    openRequestList: (queue) =>
      createRedisRequestList(connectPatient(redisUrl), connectPatient(redisUrl), queuePrefix(prefix, queue)),
  }
}

function openConsumer(queue: QueueName, { redisUrl, prefix }: RedisBrokerOptions): Consumer {
  const connection = connectPatient(redisUrl)
  const replies = connectPatient(redisUrl)
  return {
    // No `skipVersionCheck`: without the version of Redis, BullMQ waits in whole seconds and starts a delayed job up to a second late.
    createWorker: (processor, options) =>
      new Worker<JobData>(queue, processor, { ...options, connection, prefix: queuePrefix(prefix, queue) }),
    reply: publishTo(replies),
    disconnect() {
      connection.disconnect()
      replies.disconnect()
    },
  }
}

function subscribe(subscriber: RedisConnection, channel: string, wake: () => void): PokeSubscription {
  subscriber.on('message', wake)
  return {
    subscribed: subscribeTo(subscriber, channel),
    close: () => subscriber.disconnect(),
  }
}

function openHeartbeats(redis: RedisConnection, { prefix, secrets }: RedisBrokerOptions): Heartbeats {
  const reached = new Promise<void>((resolve, reject) => redis.once('ready', resolve).once('close', reject))
  reached.catch(() => undefined) // not every caller waits for it
  return {
    reached,
    isReachable: () => redis.status === 'ready',
    write: (id, ...beat) => writeHeartbeat(redis, { prefix, secrets }, id, ...beat),
    remove: (id) => removeProcess(redis, prefix, id),
    removeEnded: (options) => removeEndedProcesses(redis, prefix, options),
    close: () => redis.disconnect(),
  }
}
