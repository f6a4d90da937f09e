/** The time, as a dependency: everything that depends on time takes one, so that tests can move it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** `at` moved by `ms` milliseconds. */
export function plusMs(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms)
}

/** Whole seconds since the epoch, as JWT and CWT claims have them (RFC 7519, section 2, NumericDate). */
export function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000)
}
