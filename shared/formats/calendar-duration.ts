import { dayMs, hourMs, minuteMs } from '../clock.ts'
/** A duration by the calendar. A year has 365 or 366 days. */
export interface CalendarDuration {
  years?: number
  months?: number
  weeks?: number
  days?: number
  hours?: number
  minutes?: number
  seconds?: number
}

const secondMs = 1000

/**
 * Returns `at` plus the duration, by the UTC calendar: first years and months, then the members of fixed length. A day that the month
 * does not have becomes its last day (31 January plus a month is 28 or 29 February).
 */
export function addDuration(at: Date, duration: CalendarDuration): Date {
  const { years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0 } = duration
  const moved = addMonths(at, years * 12 + months)
  const ms = (weeks * 7 + days) * dayMs + hours * hourMs + minutes * minuteMs + seconds * secondMs
  return new Date(moved.getTime() + ms)
}

function addMonths(at: Date, months: number): Date {
  const moved = new Date(at)
  moved.setUTCDate(1)
  moved.setUTCMonth(moved.getUTCMonth() + months)
  moved.setUTCDate(Math.min(at.getUTCDate(), lastDayOf(moved)))
  return moved
}

/** Returns the last day of the month, which is day 0 of the next month. */
function lastDayOf(at: Date): number {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)).getUTCDate()
}
