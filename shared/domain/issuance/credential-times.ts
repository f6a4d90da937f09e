import { dayMs, hourMs, minuteMs } from '../../clock.ts'

const unitsMs = { day: dayMs, hour: hourMs, minute: minuteMs, second: 1000 } as const

export const timeUnits = ['day', 'hour', 'minute', 'second'] as const satisfies readonly TimeUnit[]

/** The unit of the times of a credential. Days are those of UTC. */
export type TimeUnit = keyof typeof unitsMs

/**
 * Rounds a time of a credential down to the unit, so that the credentials of a person cannot be linked by their time of issuance. The
 * unit is smaller for a credential that is valid for less than two units: an hour, a minute or a second. Rounding therefore takes at
 * most half of its validity, and it has not expired when it is issued.
 */
export function roundTime(at: Date, validForMs = Number.POSITIVE_INFINITY, unit: TimeUnit = 'hour'): Date {
  const allowed = Object.values(unitsMs).filter((each) => each <= unitsMs[unit])
  const unitMs = allowed.find((each) => 2 * each <= validForMs) ?? 1000
  return new Date(Math.floor(at.getTime() / unitMs) * unitMs)
}
