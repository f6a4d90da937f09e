import { dayMs, hourMs, minuteMs, plusMs } from '../../shared/clock.ts'

/** A day later, or when the list says that the next one comes, if that is sooner; not within an hour. */
export function nextAfterSuccess(at: Date, nextUpdate: Date | undefined): Date {
  const inMs = nextUpdate ? nextUpdate.getTime() - at.getTime() : dayMs
  return plusMs(at, Math.min(dayMs, Math.max(hourMs, inMs)))
}

/** 5 minutes later, after each further failure four times as long, and a day at most. */
export function nextAfterFailure(failures: number, at: Date): Date {
  return plusMs(at, Math.min(dayMs, 5 * minuteMs * 4 ** Math.min(failures - 1, 8)))
}
