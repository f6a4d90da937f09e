import { hourMs } from '../../clock.ts'

const unitsMs = [hourMs, 60_000, 1000]

/**
 * Rounds a time that a credential tells down to the hour, so that credentials of one person cannot be linked by the moment of their
 * issuance. A credential that is valid for less than two hours is rounded to the minute, and one for less than two minutes to the second:
 * rounding down takes at most half of its time, and it has not ended when it is issued.
 */
export function roundTime(at: Date, validForMs = Number.POSITIVE_INFINITY): Date {
  const unitMs = unitsMs.find((each) => 2 * each <= validForMs) ?? 1000
  return new Date(Math.floor(at.getTime() / unitMs) * unitMs)
}
