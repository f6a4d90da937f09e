/** The time, as a dependency: everything that depends on time takes one, so that tests can move it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** `at` moved by `ms` milliseconds. */
export function plusMs(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms)
}

const firstStoredAt = new Date('0001-01-01T00:00:00.000Z')
export const lastStoredAt = new Date('9999-12-31T23:59:59.999Z')

/** Whether the databases take a time as it is written to them: years of four digits, and none before the first. */
export function isStorable(at: Date): boolean {
  return at >= firstStoredAt && at <= lastStoredAt
}

/** Whole seconds since the epoch, as JWT and CWT claims have them (RFC 7519, section 2, NumericDate). */
export function unixSeconds(at: Date): number {
  return Math.floor(at.getTime() / 1000)
}
