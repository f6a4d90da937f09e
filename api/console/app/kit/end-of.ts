import type { Schemas } from './api.ts'

type Duration = Schemas['CalendarDuration']

/** The units of a duration, from the longest. */
export const units = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'] as const
export type Unit = (typeof units)[number]

const secondsOf = { weeks: 604_800, days: 86_400, hours: 3_600, minutes: 60, seconds: 1 } as const

/**
 * Returns `at` plus a duration, as the service computes it: by the UTC calendar, where a day that the month does not have becomes its
 * last day. Returns undefined if the result is no date.
 */
export function endOf(at: Date, duration: Duration): Date | undefined {
  const { years = 0, months = 0, ...fixed } = duration
  const end = new Date(at)
  end.setUTCDate(1)
  end.setUTCMonth(end.getUTCMonth() + years * 12 + months)
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate()
  end.setUTCDate(Math.min(at.getUTCDate(), lastDay))
  for (const unit of ['weeks', 'days', 'hours', 'minutes', 'seconds'] as const)
    end.setTime(end.getTime() + (fixed[unit] ?? 0) * secondsOf[unit] * 1_000)
  return Number.isNaN(end.getTime()) ? undefined : end
}
