import { hourMs } from '../../clock.ts'

const unitsMs = [hourMs, 60_000, 1000]

/**
 * Rounds a time of a credential down to the hour, so that the credentials of a person cannot be linked by their time of issuance.
 * Times of a credential that is valid for less than two hours are rounded to the minute, and for less than two minutes to the second.
 * Rounding therefore takes at most half of its validity, and it has not expired when it is issued.
 */
export function roundTime(at: Date, validForMs = Number.POSITIVE_INFINITY): Date {
  const unitMs = unitsMs.find((each) => 2 * each <= validForMs) ?? 1000
  return new Date(Math.floor(at.getTime() / unitMs) * unitMs)
}
