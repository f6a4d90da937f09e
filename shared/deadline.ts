import { Problem } from './errors.ts'

/** The time by which a request is answered, with 503 at the latest. What is done for it after that commits nothing. */
export interface Deadline {
  /** Throws `service_unavailable` where less than `ms` are left; half of the time is enough for anything. */
  require(ms?: number): void
  /** Settles as the work does, or throws `service_unavailable` at the deadline; the result of the work is then ignored. */
  bound<Result>(work: Promise<Result>): Promise<Result>
  /** Once the request is answered. */
  end(): void
}

export function createDeadline(withinMs: number): Deadline {
  const at = performance.now() + withinMs
  const { promise: expired, reject } = Promise.withResolvers<never>()
  // Without work that is bound there is nobody to tell.
  expired.catch(() => undefined)
  const timer = setTimeout(() => reject(tooLate()), withinMs)
  return {
    require(ms = 0) {
      if (at - performance.now() < Math.min(ms, withinMs / 2)) throw tooLate()
    },
    bound: (work) => Promise.race([work, expired]),
    end: () => clearTimeout(timer),
  }
}

export const noDeadline: Deadline = {
  require() {},
  bound: (work) => work,
  end() {},
}

/** The last part of the time, in milliseconds. It is left for calling off what was asked of a signing process and did not come. */
export function timeToUndo(withinMs: number): number {
  return Math.min(1_000, withinMs / 4)
}

function tooLate(): Problem {
  return new Problem('service_unavailable', { reason: 'The request was not answered within CREDENTIAL_DEADLINE_MS' })
}
