import { Problem } from '../errors/errors.ts'

/** Runs work with the same name one after another, in the order of the calls. Work with another name does not wait for it. */
export type KeyedMutex = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>

export interface MutexLimits {
  /** Maximum calls that wait, for each name. */
  maxWaiting: number
}

interface Chain {
  last: Promise<unknown>
  /** The calls that run or wait. */
  size: number
}

/** Creates a mutex that rejects with `service_unavailable` if too many calls with the same name wait. */
export function createKeyedMutex({ maxWaiting }: MutexLimits): KeyedMutex {
  const chains = new Map<string, Chain>()
  return async (name, work) => {
    const chain = chains.get(name) ?? { last: Promise.resolve(), size: 0 }
    // One of them runs, and does not wait.
    if (chain.size > maxWaiting) throw new Problem('service_unavailable', { retryAfterSeconds: 2 })
    chains.set(name, chain)
    chain.size++
    const result = chain.last.then(work, work)
    chain.last = result
    try {
      return await result
    } finally {
      chain.size--
      if (chain.size === 0) chains.delete(name)
    }
  }
}
