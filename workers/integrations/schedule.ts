import { dayMs, hourMs, minuteMs, plusMs } from '../../shared/clock.ts'

/** Returns the time of the next fetch: at the next update of the list, but after at least an hour and at most a day. */
export function nextAfterSuccess(at: Date, nextUpdate: Date | undefined): Date {
  const inMs = nextUpdate ? nextUpdate.getTime() - at.getTime() : dayMs
  return plusMs(at, Math.min(dayMs, Math.max(hourMs, inMs)))
}

/** Returns the time of the next fetch after a failure: 5 minutes later, then four times as long each time, and at most a day. */
export function nextAfterFailure(failures: number, at: Date): Date {
  return plusMs(at, Math.min(dayMs, 5 * minuteMs * 4 ** Math.min(failures - 1, 8)))
}
