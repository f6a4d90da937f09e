import { hourMs, minuteMs, plusMs } from '../../shared/clock.ts'

const secondMs = 1000

/** The pauses after the first, second, ... failed attempt. A delivery fails with the attempt after the last pause. */
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

const maxRetryAfterMs = 12 * hourMs
/** A pause is extended by up to this part of it, so that deliveries that failed together are not retried together. */
const jitter = 0.2

/** The minimum pause after a timeout or 429. */
const overloadPauseMs = minuteMs

export interface FailedAttempt {
  /** The number of attempts, including this one. */
  attemptsMade: number
  /** The `Retry-After` header of the answer. */
  retryAfter?: string | undefined
  /** The receiver timed out or answered 429. */
  isOverloaded?: boolean
  at: Date
}

/** Returns whether the receiver accepted a delivery. */
export function isDelivered(status = 0): boolean {
  return status >= 200 && status < 300
}

/**
 * Returns the pause before the next attempt, or undefined after the last attempt. A receiver can request a longer pause, up to 12 hours, but
 * no shorter one. `random` is in [0, 1).
 */
export function nextPauseMs(
  { attemptsMade, retryAfter, isOverloaded = false, at }: FailedAttempt,
  pausesMs: readonly number[] = retryPausesMs,
  random: () => number = Math.random,
): number | undefined {
  const pauseMs = pausesMs[attemptsMade - 1]
  if (pauseMs === undefined) return undefined
  const requestedMs = Math.min(retryAfterMs(retryAfter, at) ?? 0, maxRetryAfterMs)
  return Math.round(
    Math.max(Math.max(pauseMs, isOverloaded ? overloadPauseMs : 0) * (1 + jitter * random()), requestedMs),
  )
}

/** The parts of a result that determine the next state. */
export interface DeliveryAttemptOutcome {
  status?: number | undefined
  retryAfter?: string | undefined
  /** The answer did not arrive in time. */
  timedOut?: boolean
}

/** Returns the state after an attempt. It is `failed` after the last attempt, or if the receiver answered 410 (Gone). */
export function nextState(
  { status, retryAfter, timedOut = false }: DeliveryAttemptOutcome,
  attemptsMade: number,
  at: Date,
  pausesMs?: readonly number[],
): { state: 'delivered' | 'failed'; nextAttemptAt: null } | { state: 'pending'; nextAttemptAt: Date } {
  if (isDelivered(status)) return { state: 'delivered', nextAttemptAt: null }
  const pauseMs = nextPauseMs({ attemptsMade, retryAfter, isOverloaded: timedOut || status === 429, at }, pausesMs)
  if (status === 410 || pauseMs === undefined) return { state: 'failed', nextAttemptAt: null }
  return { state: 'pending', nextAttemptAt: plusMs(at, pauseMs) }
}

/** RFC 9110, section 10.2.3: a number of seconds or a date. Another value is ignored. */
function retryAfterMs(value: string | undefined, at: Date): number | undefined {
  if (value === undefined) return undefined
  if (/^\d+$/.test(value)) return Number(value) * secondMs
  // RFC 9110, section 5.6.7: an HTTP-date starts with the name of the day and is UTC. Without `GMT`, Date.parse would use local time.
  const date = /^[A-Z][a-z]{2,8}[, ]/.test(value) ? Date.parse(value.replace(/(?<! GMT)$/, ' GMT')) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.max(0, date - at.getTime())
}
