import { statesOfUser } from '../../../db/repos/issuance/user-states.ts'
import { withUserTerms } from '../../../db/repos/issuance/user-terms.ts'
import type { Change } from '../../../db/repos/operations/audited.ts'
import { eraseUser } from '../../../db/retention/erasure.ts'
import { notFound } from '../../../shared/errors.ts'
import type { Deps } from '../../deps.ts'

/** Erases a user. Throws `not_found` if the user does not exist. */
export async function deleteUser(
  { db, bus, clock }: Deps,
  tenantId: string,
  id: string,
  change: Change,
): Promise<void> {
  await withUserTerms(await statesOfUser(db.read, tenantId, id), (terms) =>
    change(async (tx, record) => {
      if (!(await eraseUser(tx, tenantId, id, clock.now(), terms))) throw notFound('id', id)
      record(tenantId, { id })
    }),
  )
  bus.poke()
}
