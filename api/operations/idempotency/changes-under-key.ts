import type { Writer } from '../../../db/client.ts'
import { type KeyClaim, markIdempotentChange } from '../../../db/repos/operations/idempotency-keys.ts'
import { Problem } from '../../../shared/errors.ts'
import type { Deps } from '../../deps.ts'

/**
 * Returns dependencies whose changes mark the key of the request. A transaction sets the mark itself. A change in the
 * signing process sets it before. If the process ends, the mark shows that the outcome is unknown.
 */
export function changesUnderKey(deps: Deps, claim: KeyClaim): Deps {
  const { db, keys } = deps
  const mark = async (tx: Writer) => {
    if (await markIdempotentChange(tx, claim)) return
    throw new Problem('conflict', { message: 'Another request with the same Idempotency-Key is running.' })
  }
  const marked = async <Result>(change: () => Promise<Result>) => {
    await db.tx(mark)
    return change()
  }
  const tx: Deps['db']['tx'] = (work) =>
    db.tx(async (writer) => {
      await mark(writer)
      return work(writer)
    })
  return {
    ...deps,
    db: { ...db, withoutDeadline: db.withoutDeadline, tx, txAtOnce: tx },
    keys: {
      request: (...input) => marked(() => keys.request(...input)),
      call: (...input) => marked(() => keys.call(...input)),
    },
  }
}
