import { Problem } from './errors/errors.ts'

/** The time limit of a request. At the deadline, the response is 503. Later work for the request commits nothing. */
export interface Deadline {
  /** Throws `service_unavailable` if less than `ms` are left. Half of the total time is always enough. */
  require(ms?: number): void
  isOver(): boolean
  /** Settles like the work, or throws `service_unavailable` at the deadline and ignores the result of the work. */
  bound<Result>(work: Promise<Result>): Promise<Result>
  /** Stops the timer. Call it when the request has ended. */
  end(): void
}

export function createDeadline(withinMs: number): Deadline {
  const at = performance.now() + withinMs
  const rejects: ((problem: Problem) => void)[] = []
  let isExpired = false
  // A timer can run up to 1 ms early. Before `at`, `require` would let the work of a refused request continue.
  const timer = setTimeout(() => {
    isExpired = true
    for (const reject of rejects) reject(tooLate())
  }, withinMs + 1)
  return {
    require(ms = 0) {
      if (at - performance.now() < Math.min(ms, withinMs / 2)) throw tooLate()
    },
    isOver: () => isExpired,
    // `Promise.race` does the same with four promises for each piece of work.
    bound: (work) =>
      new Promise((resolve, reject) => {
        if (isExpired) reject(tooLate())
        else rejects.push(reject)
        work.then(resolve, reject)
      }),
    end: () => clearTimeout(timer),
  }
}

export const noDeadline: Deadline = {
  require() {},
  isOver: () => false,
  bound: (work) => work,
  end() {},
}

/** Returns the time in milliseconds that is reserved for the rollback of a request without an answer from a signing process. */
export function rollbackTimeMs(withinMs: number): number {
  return Math.min(1_000, withinMs / 4)
}

function tooLate(): Problem {
  return new Problem('service_unavailable', { reason: 'The request was not answered before its deadline' })
}
