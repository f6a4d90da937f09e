import { plusMs } from '../../shared/clock.ts'

/** An attempt that started before `queuedUntil` has ended after this time, even if clocks differ. */
const lastAttemptMs = 15_000
/** An attempt that started before all workers knew that Redis was emptied has ended after this time. */
const lastAttemptOfLostMs = lastAttemptMs + 2_000

/**
 * Returns the latest `queuedUntil` of rows whose jobs are late, or lost because Redis was emptied at `emptiedAt`. A job holds its row
 * for `queuedForMs`.
 */
export function lateUntil(at: Date, emptiedAt: Date | undefined, queuedForMs: number): Date {
  const late = plusMs(at, -lastAttemptMs)
  if (!emptiedAt || plusMs(emptiedAt, lastAttemptOfLostMs) > at) return late
  const lost = plusMs(emptiedAt, queuedForMs)
  return lost > late ? lost : late
}

/** Returns whether the job of a row was queued before Redis was emptied. No attempt begins for it, because its row is given to another job. */
export function isLost(queuedUntil: number, emptiedAt: Date | undefined, queuedForMs: number): boolean {
  return emptiedAt !== undefined && queuedUntil <= emptiedAt.getTime() + queuedForMs
}
