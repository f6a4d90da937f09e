import { Problem } from '../errors/errors.ts'

/** Runs work with the same name one after another, in the order of the calls. Work with another name does not wait for it. */
export type KeyedMutex = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>

export interface MutexLimits {
  /** Maximum calls that wait for their turn, for each name. */
  maxWaiting: number
}

interface Turns {
  last: Promise<unknown>
  /** The calls that run or wait. */
  size: number
}

/** Creates a mutex that rejects with `service_unavailable` if too many calls with the same name wait. */
export function createKeyedMutex({ maxWaiting }: MutexLimits): KeyedMutex {
  const all = new Map<string, Turns>()
  return async (name, work) => {
    const turns = all.get(name) ?? { last: Promise.resolve(), size: 0 }
    // One of them runs, and does not wait.
    if (turns.size > maxWaiting) throw new Problem('service_unavailable', { retryAfterSeconds: 2 })
    all.set(name, turns)
    turns.size++
    const turn = turns.last.then(work, work)
    turns.last = turn
    try {
      return await turn
    } finally {
      turns.size--
      if (turns.size === 0) all.delete(name)
    }
  }
}
