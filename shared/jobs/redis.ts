import { Redis, type RedisOptions } from 'ioredis'
import { addressOf, type Dependency, Misconfigured } from '../dependency.ts'

/** Reconnects within a second after an outage. The default pauses of ioredis grow to many seconds. */
const retryStrategy = (times: number) => Math.min(50 * times, 1000)

/**
 * Opens a connection for requests: commands fail at once while Redis is not reachable, and do not queue up.
 * `unix:///path` is a socket.
 */
export function connectFailFast(url: string): Redis {
  return connect(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 5_000 })
}

/** Opens a connection for workers and subscribers: commands wait until an outage ends. */
export function connectPatient(url: string): Redis {
  return connect(url, { maxRetriesPerRequest: null })
}

/** Returns Redis as a dependency that a process waits for when it starts. */
export function redisDependency(url: string): Dependency {
  const address = addressOf(url)
  return {
    name: 'redis',
    address,
    async reach() {
      const redis = connect(url, {
        lazyConnect: true,
        retryStrategy: () => null,
        maxRetriesPerRequest: 0,
        connectTimeout: 3_000,
      })
      let firstError: unknown
      redis.on('error', (error) => {
        firstError ??= error // the error that `connect` throws only says that the connection is closed
      })
      try {
        await redis.connect()
        await redis.ping()
      } catch (error) {
        const reason = firstError ?? error
        if (reason instanceof Error && /^(WRONGPASS|NOAUTH|NOPERM)|invalid password/i.test(reason.message))
          throw new Misconfigured(`Redis at ${address} refuses the user or password of REDIS_URL`)
        throw reason
      } finally {
        redis.disconnect()
      }
    },
  }
}

type Options = Pick<
  RedisOptions,
  'commandTimeout' | 'connectTimeout' | 'enableOfflineQueue' | 'lazyConnect' | 'maxRetriesPerRequest' | 'retryStrategy'
>

function connect(url: string, options: Options): Redis {
  const redis = new Redis(url.startsWith('unix:') ? decodeURI(new URL(url).pathname) : url, {
    retryStrategy,
    ...options,
  })
  redis.on('error', () => undefined) // every command reports its own failure, and readiness reports the outage
  return redis
}
