import { Redis, type RedisOptions } from 'ioredis'
import { addressOf, type Dependency, Misconfigured } from '../dependency.ts'

/** After an outage everything is back within a second; ioredis would let the pauses grow to many. */
const retryStrategy = (times: number) => Math.min(50 * times, 1000)

/**
 * A connection for callers that answer people: commands fail at once while Redis is away instead of piling up.
 * `unix:///path` reaches a socket.
 */
export function connectFailFast(url: string): Redis {
  return connect(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 5_000 })
}

/** A connection for workers and subscribers: waits as long as an outage takes. */
export function connectPatient(url: string): Redis {
  return connect(url, { maxRetriesPerRequest: null })
}

/** Redis as what a process waits for when it starts. */
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
      let trouble: unknown
      redis.on('error', (error) => {
        trouble ??= error // what is thrown says only that the connection is closed
      })
      try {
        await redis.connect()
        await redis.ping()
      } catch (error) {
        const reason = trouble ?? error
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
  redis.on('error', () => undefined) // every command reports its own failure; readiness is what operators watch
  return redis
}
