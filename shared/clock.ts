/** The source of the current time. Functions take it as a parameter, so that tests can set the time. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/**
 * Returns a source of times in milliseconds for the ages of cached values. If the clock is set back, the returned time continues from its
 * last value. With the clock itself, an entry would stay valid until the clock reaches its time again.
 */
export function agesBy(clock: Clock): { now(): number } {
  let last = Number.NEGATIVE_INFINITY
  let behindMs = 0
  return {
    now() {
      const at = clock.now().getTime()
      if (at < last) behindMs += last - at
      last = at
      return at + behindMs
    },
  }
}

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** The time by which the clock of another party can differ from ours in a verification (RFC 7519, sections 4.1.4 and 4.1.5). */
export const foreignClockToleranceMs = minuteMs

/** Returns whether a foreign party's start of validity is reached, within the tolerance for clocks. */
export function hasBegun(start: Date, now: Date): boolean {
  return start.getTime() <= now.getTime() + foreignClockToleranceMs
}

/** Returns whether a foreign party's end of validity is reached, within the tolerance for clocks. */
export function hasEnded(end: Date, now: Date): boolean {
  return end.getTime() + foreignClockToleranceMs <= now.getTime()
}

/** Returns `at` plus `ms` milliseconds. */
export function plusMs(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms)
}

const firstStoredAt = new Date('0001-01-01T00:00:00.000Z')
export const lastStoredAt = new Date('9999-12-31T23:59:59.999Z')

/** Returns whether the databases can store a time: its year is from 1 to 9999. */
export function isStorableTime(at: Date): boolean {
  return at >= firstStoredAt && at <= lastStoredAt
}

/** Returns whole seconds since the epoch, for claims of JWT and CWT (RFC 7519, section 2, NumericDate). */
export function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000)
}
