import type { PokeSubscription } from '../../shared/jobs/broker.ts'
import type { Signals } from '../engine/postgres-signals.ts'
import type { QueueSignals } from './signals.ts'

const channel = 'outbox'
/** A process sends at most one signal in this time, because a relay gathers rows for longer. */
const pauseMs = 50

export interface Pokes {
  /** Wakes the relays of this process at once, and those of other processes by a signal if there are signals. */
  poke(): void
  subscribe(wake: () => void): PokeSubscription
  stop(): void
}

/** Without signals, as on SQLite, each commit of another process wakes the relays. */
export function createPokes(signals: Signals | undefined, { onCommit }: Pick<QueueSignals, 'onCommit'>): Pokes {
  const relays = new Set<() => void>()
  let sentAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  function send(): void {
    timer = undefined
    sentAt = performance.now()
    signals?.send(channel)
  }

  return {
    poke() {
      setImmediate(() => relays.forEach((wake) => void wake()))
      if (signals) timer ??= setTimeout(send, Math.max(0, sentAt + pauseMs - performance.now())).unref()
    },
    subscribe(wake) {
      relays.add(wake)
      const unlisten = signals ? signals.listen(channel, wake) : onCommit(wake)
      return {
        subscribed: Promise.resolve(),
        close() {
          unlisten()
          relays.delete(wake)
        },
      }
    },
    stop: () => clearTimeout(timer),
  }
}
