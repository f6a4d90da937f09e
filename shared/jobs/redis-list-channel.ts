import { available } from './available.ts'
import type { DirectChannel, StoredRequest } from './direct-requests.ts'
import type { RedisConnection } from './redis.ts'

/** The list of a queue's direct requests. A process removes the entry that it takes. */
export const directRequestsKey = (queuePrefix: string) => `${queuePrefix}:asks`
/** A key that exists while a process listens to the list. */
export const listenerKey = (queuePrefix: string) => `${queuePrefix}:listening`

/** The time that the listener key lasts without a renewal. */
export const directListenerLeaseMs = 3_000
export const renewListenerMs = 1_000

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
  let isListening = false
  let checkedAt = Number.NEGATIVE_INFINITY

  /** Runs in the background: its result is for later calls. */
  function checkListener(): void {
    checkedAt = performance.now()
    redis.exists(listenerKey(queuePrefix)).then(
      (count) => {
        isListening = count === 1
      },
      () => {
        isListening = false
      },
    )
  }

  return {
    isOpen() {
      if (performance.now() - checkedAt > renewListenerMs) checkListener()
      return isListening
    },
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

/** Returns the same text for the same request, because `withdraw` finds the entry of a Redis list by its text. */
export function requestText({ id, name, data: { payload, replyTo } }: StoredRequest): string {
  return JSON.stringify({ id, name, data: { payload, replyTo } })
}
