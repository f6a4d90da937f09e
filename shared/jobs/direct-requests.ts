import { z } from 'zod'
import type { RedisConnection } from './redis.ts'

/** A job's name and data, with the id of the expected reply. */
export interface DirectRequest {
  id: string
  name: string
  data: { payload: unknown; replyTo?: string }
}

const DirectRequestText = z.compile(
  z.object({
    id: z.string(),
    name: z.string(),
    data: z.object({ payload: z.unknown(), replyTo: z.string().optional() }),
  }),
)

/** Reads an entry of the list. Returns undefined if no process of this service wrote it. */
export function readDirectRequest(text: string): DirectRequest | undefined {
  try {
    const { id, name, data } = DirectRequestText.parse(JSON.parse(text))
    const { payload, replyTo } = data
    return { id, name, data: { payload, ...(replyTo !== undefined && { replyTo }) } }
  } catch {
    return undefined
  }
}

/** The list of a queue's direct requests. A process removes the entry that it takes. */
export const directRequestsKey = (queuePrefix: string) => `${queuePrefix}:asks`
/** A key that exists while a process listens to the list. */
export const listenerKey = (queuePrefix: string) => `${queuePrefix}:listening`

/** The time that the listener key lasts without a renewal. */
export const directListenerLeaseMs = 3_000
export const renewListenerMs = 1_000

/** A call without a reply queues its job after this time, and again each time that this time passes. */
export const unansweredMs = 3_000

/**
 * Requests over a Redis list, which idle signing processes answer at once. A job takes a dozen Redis commands, a direct request
 * three. The list guarantees nothing: a request that has no answer, or that fails, becomes a job with the same id.
 */
export interface DirectRequests {
  /** Returns whether a process listened within the last seconds. The answer is false if only an earlier version runs. */
  hasListener(): boolean
  put(request: DirectRequest): Promise<void>
  /** Removes a request that no process has taken. Never fails. */
  withdraw(request: DirectRequest): Promise<void>
  /** Returns the number of waiting requests. */
  depth(): Promise<number>
}

export function createDirectRequests(redis: RedisConnection, queuePrefix: string): DirectRequests {
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
    hasListener() {
      if (performance.now() - checkedAt > renewListenerMs) checkListener()
      return isListening
    },
    async put(request) {
      await redis.rpush(key, textOf(request))
    },
    async withdraw(request) {
      await redis.lrem(key, 1, textOf(request)).catch(() => undefined)
    },
    depth: () => redis.llen(key),
  }
}

/** Returns the same text for the same request, because `withdraw` finds the entry by its text. */
function textOf({ id, name, data: { payload, replyTo } }: DirectRequest): string {
  return JSON.stringify({ id, name, data: { payload, replyTo } })
}
