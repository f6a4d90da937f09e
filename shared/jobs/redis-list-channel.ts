import { available } from './available.ts'
import { type DirectChannel, requestText } from './direct-requests.ts'
import { createListenerCheck } from './listener-lease.ts'
import type { RedisConnection } from './redis.ts'

/** The list of a queue's direct requests. A process removes the entry that it takes. */
export const directRequestsKey = (queuePrefix: string) => `${queuePrefix}:asks`
/** A key that exists while a process listens to the list. */
export const listenerKey = (queuePrefix: string) => `${queuePrefix}:listening`

export interface RedisListChannel extends DirectChannel {
  /** Returns the number of waiting requests. */
  depth(): Promise<number>
}

/**
 * Direct requests over a Redis list, which idle signing processes of all machines answer at once. A job takes a dozen Redis commands, an entry
 * of the list three. The channel is closed if only an earlier version listens.
 */
export function createRedisListChannel(redis: RedisConnection, queuePrefix: string): RedisListChannel {
  const key = directRequestsKey(queuePrefix)
  return {
    isOpen: createListenerCheck(async () => (await redis.exists(listenerKey(queuePrefix))) === 1),
    async send(request) {
      await available(redis.rpush(key, requestText(request.stored())))
      return undefined
    },
    async withdraw(request) {
      await redis.lrem(key, 1, requestText(request.stored())).catch(() => undefined)
    },
    depth: () => redis.llen(key),
  }
}
