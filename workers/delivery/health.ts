import { dayMs, minuteMs } from '../../shared/clock.ts'

/** A webhook is broken after this number of consecutive failures. It is paused and then gets one delivery at a time. */
const brokenAfter = 10
const minPauseMs = 10_000
const maxPauseMs = 5 * minuteMs
const disabledAfterMs = 5 * dayMs

/** The pause of a broken webhook while one delivery is attempted: longer than an attempt waits and takes. */
export const probePauseMs = 30_000

export function isBroken(failures: number): boolean {
  return failures >= brokenAfter
}

/** Returns the pause of a broken webhook: a quarter of the time since its first failure. */
export function brokenPauseMs(failingSince: Date, at: Date): number {
  return Math.min(maxPauseMs, Math.max(minPauseMs, (at.getTime() - failingSince.getTime()) / 4))
}

/** Returns whether all attempts failed for five days. */
export function hasFailedForDays(failingSince: Date, at: Date): boolean {
  return at.getTime() - failingSince.getTime() >= disabledAfterMs
}
