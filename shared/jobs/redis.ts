import { Redis } from 'ioredis'

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

function connect(
  url: string,
  options: { maxRetriesPerRequest: number | null; enableOfflineQueue?: boolean; commandTimeout?: number },
): Redis {
  const redis = new Redis(url.startsWith('unix:') ? decodeURI(new URL(url).pathname) : url, {
    retryStrategy,
    ...options,
  })
  redis.on('error', () => undefined) // every command reports its own failure; readiness is what operators watch
  return redis
}
