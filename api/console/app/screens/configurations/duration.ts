import type { Schemas } from '../../kit/api.ts'
import { units } from '../../kit/end-of.ts'
import { locale } from '../../kit/language.ts'

type Duration = Schemas['CalendarDuration']

/** Formats a duration in the reader's language: “1 year, 6 months”. Returns an empty text if no unit is above zero. */
export function durationText(duration: Duration): string {
  return units
    .filter((unit) => duration[unit])
    .map((unit) =>
      new Intl.NumberFormat(locale(), { style: 'unit', unit: unit.slice(0, -1), unitDisplay: 'long' }).format(
        duration[unit] ?? 0,
      ),
    )
    .join(', ')
}
