/** Returns the first moment of a day (`2026-03-29`) in the reader's time zone. Returns any other text as it is, for the service to check. */
export function startOfDay(day: string): string {
  return midnight(day)?.toISOString() ?? day
}

/** Returns the last millisecond of a day in the reader's time zone. Returns any other text as it is, for the service to check. */
export function endOfDay(day: string): string {
  const date = midnight(day)
  if (!date) return day
  // A day with a change of the clock has 23 or 25 hours.
  date.setDate(date.getDate() + 1)
  return new Date(date.getTime() - 1).toISOString()
}

function midnight(day: string): Date | undefined {
  const date = new Date(`${day}T00:00`)
  return /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(date.getTime()) ? date : undefined
}
