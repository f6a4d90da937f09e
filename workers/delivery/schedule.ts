import { hourMs, minuteMs, plusMs } from '../../shared/clock.ts'

const secondMs = 1000

/** The pauses after the first, second, ... failed attempt (decisions: webhooks). After the last the delivery has failed. */
export const retryPausesMs: readonly number[] = [
  5 * secondMs,
  30 * secondMs,
  2 * minuteMs,
  10 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  6 * hourMs,
  12 * hourMs,
]

const longestMs = 12 * hourMs
/** Pauses are stretched by up to this part of them, so that what failed together does not come back together. */
const jitter = 0.2

/** After a timeout or 429. */
const restMs = minuteMs

export interface FailedAttempt {
  /** How many attempts were made, this one included. */
  attemptsMade: number
  /** The `Retry-After` header of the answer. */
  retryAfter?: string | undefined
  /** The receiver had more than it can do. */
  needsRest?: boolean
  at: Date
}

/** Whether the receiver took it. */
export function isDelivered(status = 0): boolean {
  return status >= 200 && status < 300
}

/**
 * How long to wait before the next attempt, in milliseconds; undefined when that was the last one. A receiver may ask
 * for a longer pause, up to 12 hours, but not for a shorter one. `random` is in [0, 1).
 */
export function nextPauseMs(
  { attemptsMade, retryAfter, needsRest = false, at }: FailedAttempt,
  pausesMs: readonly number[] = retryPausesMs,
  random: () => number = Math.random,
): number | undefined {
  const pauseMs = pausesMs[attemptsMade - 1]
  if (pauseMs === undefined) return undefined
  const askedMs = Math.min(retryAfterMs(retryAfter, at) ?? 0, longestMs)
  return Math.round(Math.max(Math.max(pauseMs, needsRest ? restMs : 0) * (1 + jitter * random()), askedMs))
}

/** What an attempt led to, as far as it says what comes next. */
export interface DeliveryAttemptOutcome {
  status?: number | undefined
  retryAfter?: string | undefined
  /** The answer did not come in time. */
  timedOut?: boolean
}

/** When the next attempt is made; `failed` after the last of the schedule, and when the receiver says that it is gone. */
export function judge(
  { status, retryAfter, timedOut = false }: DeliveryAttemptOutcome,
  attemptsMade: number,
  at: Date,
  pausesMs?: readonly number[],
): { state: 'delivered' | 'failed'; nextAttemptAt: null } | { state: 'pending'; nextAttemptAt: Date } {
  if (isDelivered(status)) return { state: 'delivered', nextAttemptAt: null }
  const pauseMs = nextPauseMs({ attemptsMade, retryAfter, needsRest: timedOut || status === 429, at }, pausesMs)
  if (status === 410 || pauseMs === undefined) return { state: 'failed', nextAttemptAt: null }
  return { state: 'pending', nextAttemptAt: plusMs(at, pauseMs) }
}

/** RFC 9110, section 10.2.3: a number of seconds or a date. Anything else is as if it was not there. */
function retryAfterMs(value: string | undefined, at: Date): number | undefined {
  if (value === undefined) return undefined
  if (/^\d+$/.test(value)) return Number(value) * secondMs
  // RFC 9110, section 5.6.7: an HTTP-date starts with the day's name and is UTC, also where it does not say so, which
  // Date.parse would take for the time of this machine.
  const date = /^[A-Z][a-z]{2,8}[, ]/.test(value) ? Date.parse(value.replace(/(?<! GMT)$/, ' GMT')) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - at.getTime())
}
