import { dayMs, minuteMs } from '../../shared/clock.ts'

/** After so many failures in a row a webhook is broken: it is paused, and then tried with one delivery at a time. */
const brokenAfter = 10
const shortestPauseMs = 10_000
const longestPauseMs = 5 * minuteMs
const disabledAfterMs = 5 * dayMs

export function isBroken(failures: number): boolean {
  return failures >= brokenAfter
}

/** How long a broken webhook is left alone, in milliseconds: a quarter of the time that it has been failing. */
export function restMs(failingSince: Date, at: Date): number {
  return Math.min(longestPauseMs, Math.max(shortestPauseMs, (at.getTime() - failingSince.getTime()) / 4))
}

/** Whether nothing was delivered for five days although it was tried (decisions: webhooks). */
export function hasFailedForDays(failingSince: Date, at: Date): boolean {
  return at.getTime() - failingSince.getTime() >= disabledAfterMs
}
