import type { Writer } from '../../../db/client.ts'
import { type KeyClaim, markIdempotentChange } from '../../../db/repos/operations/idempotency-keys.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { Deps } from '../../deps.ts'

interface ChangesUnderKey {
  /** The dependencies of the handler. */
  deps: Deps
  /** Called in a transaction of the handler, which has stored this answer. */
  stored(answer: string): void
  /** Returns the answer that the last transaction of the handler has stored, if it was committed. */
  committedAnswer(): string | undefined
}

/**
 * Returns dependencies whose changes mark the key of the request. A transaction sets the mark itself. A change in the
 * signing process sets it before. If the process ends without a stored answer, the mark shows that the outcome is unknown.
 */
export function changesUnderKey(deps: Deps, claim: KeyClaim): ChangesUnderKey {
  const { db, keys } = deps
  let stored: string | undefined
  let committed: string | undefined
  const mark = async (tx: Writer) => {
    stored = undefined
    committed = undefined
    if (await markIdempotentChange(tx, claim)) return
    throw new Problem('conflict', { message: 'Another request with the same Idempotency-Key is running.' })
  }
  const marked = async <Result>(change: () => Promise<Result>) => {
    await db.tx(mark)
    return change()
  }
  const tx: Deps['db']['tx'] = async (work) => {
    const result = await db.tx(async (writer) => {
      await mark(writer)
      return work(writer)
    })
    committed = stored
    return result
  }
  return {
    deps: {
      ...deps,
      db: { ...db, withoutDeadline: db.withoutDeadline, tx, txAtOnce: tx, txWithNext: tx },
      keys: {
        ...keys,
        request: (...input) => marked(() => keys.request(...input)),
        call: (...input) => marked(() => keys.call(...input)),
      },
    },
    stored: (answer) => {
      stored = answer
    },
    committedAnswer: () => committed,
  }
}
