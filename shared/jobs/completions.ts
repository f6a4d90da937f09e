import { z } from 'zod'
import { fromWireProblem, isProblemName, Problem, type WireProblem } from '../errors/errors.ts'

/** The reply of a worker to the waiting caller: the result as JSON (sealed if the job is), or a problem. */
export type Reply = { id: string; result: string } | { id: string; problem: WireProblem }

/**
 * The callers of this process that wait for a reply. All replies to one process go over one channel. If a reply is lost in an
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

/** The channel on which a process receives its replies. */
export interface ReplyChannel {
  name: string
  /** Resolves when replies arrive. */
  listening: Promise<void>
  /** Called when a caller begins to wait. */
  onAwaited?(): void
  close(): void
}

/** Opens the channel. `receive` gets each reply as text. `isAwaited` returns whether a caller waits for a reply. */
type OpenReplyChannel = (receive: (message: string) => void, isAwaited: () => boolean) => ReplyChannel

export function createCompletions(openChannel: OpenReplyChannel): Completions {
  const waiting = new Map<string, { settle(reply: Reply): void }>()
  const receive = (message: string) => {
    const reply = readReply(message)
    if (reply) waiting.get(reply.id)?.settle(reply)
  }
  const channel = openChannel(receive, () => waiting.size > 0)
  const { listening } = channel
  listening.catch(() => undefined) // closed before the subscription
  return {
    channel: channel.name,
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
      channel.onAwaited?.()
      promise.catch(() => undefined) // the caller may no longer wait
      return { reply: promise, forget }
    },
    close: async () => channel.close(),
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
