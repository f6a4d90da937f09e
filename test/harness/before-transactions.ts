import type { Database } from '../../db/client.ts'

/** Returns the same database. It calls `run` before each transaction of a request, with the number of earlier ones. */
export function callingBeforeTransactions(db: Database, run: (earlier: number) => Promise<void>): Database {
  let count = 0
  const calling = (base: Database): Database => ({
    ...base,
    async tx(work, options) {
      await run(count++)
      return base.tx(work, options)
    },
    until: (deadline) => calling(base.until(deadline)),
    withoutDeadline: base,
  })
  return calling(db)
}
