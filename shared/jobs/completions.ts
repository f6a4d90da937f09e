import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import { z } from 'zod'
import { fromWireProblem, isProblemName, Problem, type WireProblem } from '../errors.ts'

/** What a worker publishes to the caller that waits: the result as JSON (sealed where the job is), or a problem. */
export type Reply = { id: string; result: string } | { id: string; problem: WireProblem }

/**
 * Who waits for which job in this process. Workers answer on one Redis channel per process; a reply that is lost in an
 * outage ends in the deadline, after which the caller looks at the row that the job would have written.
 */
export interface Completions {
  readonly channel: string
  /** Resolves once replies are heard. */
  readonly listening: Promise<void>
  /** Registers before the job is added. Rejects with `service_unavailable` at the deadline. */
  expect(id: string, deadlineMs: number): { reply: Promise<string>; forget(): void }
  close(): Promise<void>
}

export function createCompletions(subscriber: Redis, prefix: string): Completions {
  const channel = `${prefix}:replies:${randomUUID()}`
  const waiting = new Map<string, { settle(reply: Reply): void }>()
  subscriber.on('message', (_channel, message) => {
    const reply = readReply(message)
    if (reply) waiting.get(reply.id)?.settle(reply)
  })
  const listening = subscriber.subscribe(channel).then(() => undefined)
  listening.catch(() => undefined) // closed before it was
  return {
    channel,
    listening,
    expect(id, deadlineMs) {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      const forget = () => {
        clearTimeout(timer)
        waiting.delete(id)
      }
      const timer = setTimeout(() => {
        forget()
        reject(new Problem('service_unavailable', { retryAfterSeconds: 2 }))
      }, deadlineMs)
      waiting.set(id, {
        settle(reply) {
          forget()
          if ('problem' in reply) reject(fromWireProblem(reply.problem))
          else resolve(reply.result)
        },
      })
      promise.catch(() => undefined) // the caller may be gone by then
      return { reply: promise, forget }
    },
    async close() {
      subscriber.disconnect()
    },
  }
}

const ReplyText = z.union([
  z.object({ id: z.string(), result: z.string() }),
  z.object({ id: z.string(), problem: z.looseObject({ problem: z.string().refine(isProblemName) }) }),
])

/** Returns undefined for a message that is no reply: the caller gets `service_unavailable` at its deadline. */
function readReply(message: string): Reply | undefined {
  try {
    // Boundary: workers write what `toWireProblem` made.
    return ReplyText.parse(JSON.parse(message)) as Reply
  } catch {
    return undefined
  }
}
