import type { Redis } from 'ioredis'
import { z } from 'zod'

/** What is asked for: a job's name and data, and the id under which the answer is expected. */
export interface DirectRequest {
  id: string
  name: string
  data: { payload: unknown; replyTo?: string }
}

const AskText = z.object({
  id: z.string(),
  name: z.string(),
  data: z.object({ payload: z.unknown(), replyTo: z.string().optional() }),
})

/** Reads an entry of the list. Returns undefined for one that no process of this service wrote. */
export function readDirectRequest(text: string): DirectRequest | undefined {
  try {
    const { id, name, data } = AskText.parse(JSON.parse(text))
    const { payload, replyTo } = data
    return { id, name, data: { payload, ...(replyTo !== undefined && { replyTo }) } }
  } catch {
    return undefined
  }
}

/** Of the queue whose prefix this is. Whoever takes an entry has it alone, and nobody knows of it any more. */
export const directRequestsKey = (queuePrefix: string) => `${queuePrefix}:asks`
/** There while somebody takes what is asked. */
export const listenerKey = (queuePrefix: string) => `${queuePrefix}:listening`

/** A listener says so every second. Before it is missed, what it left goes to the queue. */
export const listenerLeaseMs = 3_000
export const renewListenerMs = 1_000

/** What was not answered within so long becomes a job: whoever took it may have died, and Redis may have lost it. */
export const unansweredMs = 3_000

/**
 * The short way to those who answer at once: a list, from which whoever is free takes the next. A job's life is a dozen
 * commands, this is three. The list promises nothing: what is not answered, or failed, becomes a job of the same id.
 */
export interface DirectRequests {
  /** Whether somebody listened a moment ago; nobody does where only an earlier version runs. */
  hasListener(): boolean
  put(ask: DirectRequest): Promise<void>
  /** Takes back what nobody took. Never fails. */
  withdraw(ask: DirectRequest): Promise<void>
  /** How many wait to be taken. */
  depth(): Promise<number>
}

export function createDirectRequests(redis: Redis, queuePrefix: string): DirectRequests {
  const key = directRequestsKey(queuePrefix)
  let heard = false
  let lookedAt = Number.NEGATIVE_INFINITY

  /** Nobody waits for it: what it finds is for the next ones. */
  function look(): void {
    lookedAt = performance.now()
    redis.exists(listenerKey(queuePrefix)).then(
      (count) => {
        heard = count === 1
      },
      () => {
        heard = false
      },
    )
  }

  return {
    hasListener() {
      if (performance.now() - lookedAt > renewListenerMs) look()
      return heard
    },
    async put(ask) {
      await redis.rpush(key, textOf(ask))
    },
    async withdraw(ask) {
      await redis.lrem(key, 1, textOf(ask)).catch(() => undefined)
    },
    depth: () => redis.llen(key),
  }
}

/** The same for the same ask, so that it is found again. */
function textOf({ id, name, data: { payload, replyTo } }: DirectRequest): string {
  return JSON.stringify({ id, name, data: { payload, replyTo } })
}
