import { type Clock, plusMs } from '../../shared/clock.ts'

/** The wall clock of the simulated service. */
export interface SimulatedClock extends Clock {
  /** Lets time pass, also for `performance.now()`. Entries of caches end. */
  pass(ms: number): void
  /** Sets the wall clock forward, or back if `ms` is negative. No time passes for `performance.now()`. */
  shift(ms: number): void
}

/** Replaces `performance.now()` of this process. */
export function createSimulatedClock(start: Date): SimulatedClock {
  let now = start
  let passedMs = 0
  const realNow = performance.now.bind(performance)
  performance.now = () => realNow() + passedMs
  return {
    now: () => now,
    pass(ms) {
      now = plusMs(now, ms)
      passedMs += ms
    },
    shift(ms) {
      now = plusMs(now, ms)
    },
  }
}
