import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { fromWireProblem, isProblemName, Problem, type WireProblem } from '../errors/errors.ts'
import type { RedisConnection } from './redis.ts'

/** The reply of a worker to the waiting caller: the result as JSON (sealed if the job is), or a problem. */
export type Reply = { id: string; result: string } | { id: string; problem: WireProblem }

/**
 * The callers of this process that wait for a reply. All replies to one process go over one Redis channel. If a reply is lost in an
 * outage, the job runs again and replies again (sender.ts). A caller without a reply fails at its deadline and then reads the row that the job
 * would have written.
 */
export interface Completions {
  readonly channel: string
  /** Resolves when the channel is subscribed. */
  readonly listening: Promise<void>
  /** Registers a caller before its job is added. The reply rejects with `service_unavailable` at the deadline. */
  expect(id: string, deadlineMs: number): { reply: Promise<string>; forget(): void }
  close(): Promise<void>
}

/** A connection that only subscribes sends no command. Without a ping, its silent loss would not be noticed. */
const pingEveryMs = 5_000

export function createCompletions(subscriber: RedisConnection, prefix: string): Completions {
  const channel = `${prefix}:replies:${randomUUID()}`
  const waiting = new Map<string, { settle(reply: Reply): void }>()
  subscriber.on('message', (_channel, message) => {
    const reply = readReply(message)
    if (reply) waiting.get(reply.id)?.settle(reply)
  })
  const listening = subscriber.subscribe(channel).then(() => undefined)
  listening.catch(() => undefined) // closed before the subscription
  const pings = setInterval(() => {
    if (subscriber.status === 'ready') subscriber.ping().catch(() => undefined) // the connection opens itself again
  }, pingEveryMs).unref()
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
      promise.catch(() => undefined) // the caller may no longer wait
      return { reply: promise, forget }
    },
    async close() {
      clearInterval(pings)
      subscriber.disconnect()
    },
  }
}

const ReplyText = z.compile(
  z.union([
    z.object({ id: z.string(), result: z.string() }),
    z.object({ id: z.string(), problem: z.looseObject({ problem: z.string().refine(isProblemName) }) }),
  ]),
)

/** Returns undefined for a message that is not a reply. Its caller gets `service_unavailable` at the deadline. */
function readReply(message: string): Reply | undefined {
  try {
    // Boundary: workers write the result of `toWireProblem`.
    return ReplyText.parse(JSON.parse(message)) as Reply
  } catch {
    return undefined
  }
}
