import { randomUUID } from 'node:crypto'
import type { Consumer } from '../../shared/jobs/broker.ts'
import type { ReplyChannel } from '../../shared/jobs/completions.ts'
import type { Signals } from '../engine/postgres-signals.ts'
import type { QueueValues } from './values.ts'

/** How soon a process notices the replies of other processes without signals. It looks only while a caller waits. */
const pollMs = 10
/** How soon it notices a reply whose signal was lost. */
const signalledPollMs = 1_000
/** Longer than any caller waits. */
const keptMs = 120_000

/** The replies to the callers of a process: passed on in the process itself, and over rows and signals between processes. */
export interface Replies {
  open(receive: (message: string) => void, isAwaited: () => boolean): ReplyChannel
  send: Consumer['reply']
}

export function createReplies(values: QueueValues, signals: Signals | undefined): Replies {
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
      const take = () => {
        values.take(`reply:${name}`).then(
          (messages) => messages.forEach(receive),
          () => undefined, // the next poll tries again
        )
      }
      const unlisten = signals?.listen(name, take)
      return {
        name,
        listening: Promise.resolve(),
        onAwaited() {
          timer ??= setInterval(() => (isAwaited() ? take() : stop()), signals ? signalledPollMs : pollMs)
        },
        close() {
          stop()
          unlisten?.()
          receivers.delete(name)
        },
      }
    },
    async send(channel, reply) {
      const message = JSON.stringify(reply)
      const receive = receivers.get(channel)
      if (receive) return receive(message)
      await values.put(`reply:${channel}`, reply.id, message, keptMs)
      signals?.send(channel)
    },
  }
}
