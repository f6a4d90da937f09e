import { type Cluster, Redis, type RedisOptions } from 'ioredis'
import { addressOf, type Dependency, Misconfigured } from '../process/dependency.ts'
import { isClusterUrl } from '../settings/redis-cluster-url.ts'
import { isSentinelUrl } from '../settings/redis-sentinel-url.ts'
import { isRefusal, openCluster, reachCluster } from './redis-cluster.ts'
import { openSentinel, reachSentinels } from './redis-sentinel.ts'

/** A connection to one Redis, or to all nodes of a Redis Cluster. */
export type RedisConnection = Redis | Cluster

/** Reconnects within a second after an outage. The default pauses of ioredis grow to many seconds. */
const retryStrategy = (times: number) => Math.min(50 * times, 1000)

/**
 * Opens the connection again after Redis refused a write because it became a replica. After a failover, the address can lead to the new master.
 * The old one does not close its connections. Redis before version 7 reports the error of a script in another text.
 */
const reconnectOnError = (error: Error) => /\bREADONLY\b/.test(error.message)

/**
 * The number of times that a command is sent again while a node of a cluster is unavailable, with pauses of 100 ms. A patient connection waits for
 * the restart of a node.
 */
const redirections = { failFast: 5, patient: 3_000 }

/**
 * A connection on which Redis sends no answer for this time is closed and opened again. The network can lose a connection without a message,
 * for example when a host ends. The kernel notices this only after 15 minutes. The blocking reads of workers last up to ten seconds.
 */
const answerWithinMs = { failFast: 5_000, patient: 15_000 }

/**
 * Opens a connection for requests: commands fail at once while Redis is not reachable, and do not queue up.
 * `unix:///path` is a socket.
 */
export function connectFailFast(url: string): RedisConnection {
  const limitMs = answerWithinMs.failFast
  const options = { maxRetriesPerRequest: 1, commandTimeout: limitMs, socketTimeout: limitMs }
  return connect(url, { enableOfflineQueue: false, ...options }, redirections.failFast)
}

/** Opens a connection for workers and subscribers: commands wait until an outage ends. */
export function connectPatient(url: string): RedisConnection {
  const options = { maxRetriesPerRequest: null, socketTimeout: answerWithinMs.patient }
  return connect(url, options, redirections.patient)
}

/** Returns Redis as a dependency that a process waits for when it starts. */
export function redisDependency(url: string): Dependency {
  const address = addressOf(url)
  return {
    name: 'redis',
    address,
    async reach() {
      try {
        await (isClusterUrl(url) ? reachCluster(url, probe) : reachSingle(url))
      } catch (error) {
        if (isRefusal(error)) throw new Misconfigured(`Redis at ${address} refuses the user or password of REDIS_URL`)
        throw error
      }
    },
  }
}

/** The options of a connection that only checks whether Redis answers. */
const probe = { maxRetriesPerRequest: 0, connectTimeout: 3_000 }

async function reachSingle(url: string): Promise<void> {
  if (isSentinelUrl(url)) await reachSentinels(url)
  const redis = openSingle(url, { ...probe, retryStrategy: () => null, lazyConnect: true })
  let firstError: unknown
  redis.on('error', (error) => {
    firstError ??= error // the error that `connect` throws only says that the connection is closed
  })
  try {
    await redis.connect()
    await redis.ping()
    // A user without the right to read it can still use Redis.
    const info = await redis.info().catch(() => '')
    if (info.includes('redis_mode:sentinel'))
      throw new Misconfigured(
        `Redis at ${addressOf(url)} is a Sentinel. Set REDIS_URL to redis+sentinel://HOST:PORT,HOST:PORT/MASTER with the Sentinels and the name of the master.`,
      )
    if (info.includes('cluster_enabled:1'))
      throw new Misconfigured(
        `Redis at ${addressOf(url)} is a node of a cluster. Set REDIS_URL to redis+cluster://HOST:PORT,HOST:PORT with some of its nodes.`,
      )
  } catch (error) {
    throw error instanceof Misconfigured ? error : (firstError ?? error)
  } finally {
    redis.disconnect()
  }
}

type Options = Pick<
  RedisOptions,
  | 'commandTimeout'
  | 'connectTimeout'
  | 'enableOfflineQueue'
  | 'lazyConnect'
  | 'maxRetriesPerRequest'
  | 'retryStrategy'
  | 'socketTimeout'
>

function connect(url: string, options: Options, maxRedirections: number): RedisConnection {
  const redis = isClusterUrl(url) ? openNodes(url, options, maxRedirections) : openSingle(url, options)
  redis.on('error', () => undefined) // every command reports its own failure, and readiness reports the outage
  return redis
}

function openSingle(url: string, options: Options): Redis {
  // Subscribers subscribe again themselves (redis-subscription.ts).
  const common = { retryStrategy, reconnectOnError, autoResubscribe: false, ...options }
  if (isSentinelUrl(url)) return openSentinel(url, common)
  const target = url.startsWith('unix:') ? decodeURI(new URL(url).pathname) : url
  return new Redis(target, common)
}

function openNodes(url: string, options: Options, maxRedirections: number): Cluster {
  const { enableOfflineQueue = true, ...nodeOptions } = options
  return openCluster(url, { enableOfflineQueue, maxRedirections, clusterRetryStrategy: retryStrategy }, nodeOptions)
}
