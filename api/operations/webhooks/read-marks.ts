import { plusMs } from '../../../shared/clock.ts'
import { firstIdAt } from '../../../shared/ids.ts'

/** Longer than a request waits for its answer, and than clocks of workers are behind that of this process. */
const maxAgeMs = 120_000

/** The ids of the requests that a stream has read. */
export type ReadMarks = Set<string>

/** Returns a text that is lower than the ids of the requests that streams read. It depends on the clock of this process only. */
export function firstToRead(at: Date): string {
  return firstIdAt(plusMs(at, -maxAgeMs))
}

/** Gives up the marks of requests that are no longer read. */
export function forgetBefore(marks: ReadMarks, from: string): void {
  for (const id of marks) if (id < from) marks.delete(id)
}

/** Returns the ids of the requests that all of several streams have read. */
export function readByAll(streams: readonly ReadMarks[]): string[] {
  const [first = new Set<string>(), ...others] = streams
  return [...first].filter((id) => others.every((each) => each.has(id)))
}
