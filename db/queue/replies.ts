import { randomUUID } from 'node:crypto'
import type { Consumer } from '../../shared/jobs/broker.ts'
import type { ReplyChannel } from '../../shared/jobs/completions.ts'
import type { QueueValues } from './values.ts'

/** How soon a process notices the replies of other processes. It looks only while a caller waits. */
const pollMs = 10
/** Longer than any caller waits. */
const keptMs = 120_000

/** The replies to the callers of a process: passed on in the process itself, and over rows between processes. */
export interface Replies {
  open(receive: (message: string) => void, isAwaited: () => boolean): ReplyChannel
  send: Consumer['reply']
}

export function createReplies(values: QueueValues): Replies {
  const receivers = new Map<string, (message: string) => void>()
  return {
    open(receive, isAwaited) {
      const name = randomUUID()
      receivers.set(name, receive)
      let timer: NodeJS.Timeout | undefined
      const stop = () => {
        clearInterval(timer)
        timer = undefined
      }
      const poll = () => {
        if (!isAwaited()) return stop()
        if (isEmpty(values, name)) return
        values.take(`reply:${name}`).then(
          (messages) => messages.forEach(receive),
          () => undefined, // the next tick tries again
        )
      }
      return {
        name,
        listening: Promise.resolve(),
        onAwaited() {
          timer ??= setInterval(poll, pollMs)
        },
        close() {
          stop()
          receivers.delete(name)
        },
      }
    },
    async send(channel, reply) {
      const message = JSON.stringify(reply)
      const receive = receivers.get(channel)
      if (receive) receive(message)
      else await values.put(`reply:${channel}`, reply.id, message, keptMs)
    },
  }
}

function isEmpty(values: QueueValues, name: string): boolean {
  try {
    return Object.keys(values.list(`reply:${name}`)).length === 0
  } catch {
    return true // the database is busy or full
  }
}
