import type { PokeSubscription } from '../../shared/jobs/broker.ts'
import type { Signals } from '../engine/postgres-signals.ts'

const channel = 'outbox'
/** A process sends at most one signal in this time, because a relay gathers rows for longer. */
const pauseMs = 50

export interface Pokes {
  /** Wakes the relays of this process at once, and those of other processes by a signal. */
  poke(): void
  subscribe(wake: () => void): PokeSubscription
  stop(): void
}

/** Without signals, only the relays of this process are woken. */
export function createPokes(signals: Signals | undefined): Pokes {
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
      const unlisten = signals?.listen(channel, wake)
      return {
        subscribed: Promise.resolve(),
        close() {
          unlisten?.()
          relays.delete(wake)
        },
      }
    },
    stop: () => clearTimeout(timer),
  }
}
