import { AsyncLocalStorage } from 'node:async_hooks'

const insideTransaction = new AsyncLocalStorage<true>()

/** Runs the work of a transaction. */
export function runInsideTransaction<Result>(work: () => Result): Result {
  return insideTransaction.run(true, work)
}

/** Throws if the caller is inside a transaction. `reason` names what must not run there, and what to do. */
export function requireOutsideTransaction(reason: string): void {
  if (isInsideTransaction()) throw new Error(reason)
}

/** Returns whether the caller is inside a transaction. */
export function isInsideTransaction(): boolean {
  return insideTransaction.getStore() === true
}
