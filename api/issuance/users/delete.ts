import { statesOfUser } from '../../../db/repos/issuance/users/user-states.ts'
import { withUserTerms } from '../../../db/repos/issuance/users/user-terms.ts'
import type { Change } from '../../../db/repos/operations/audit/audited.ts'
import { eraseWithReceipt } from '../../../db/retention/erase-with-receipt.ts'
import { erasureSubject } from '../../../shared/domain/operations/erasure-subject.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import { newId } from '../../../shared/ids.ts'
import type { Deps } from '../../deps.ts'

/** The identity of an erasure. */
export interface Erasure {
  id: string
  /** Base64url, 32 bytes. The key of the HMAC of the user's id in the receipt. It is not stored. */
  salt: string
}

/** Erases a user, and queues the signature of the receipt. Throws `not_found` if the user does not exist. */
export async function deleteUser(
  { db, bus, clock }: Deps,
  { tenantId, id, requestId, salt }: { tenantId: string; id: string; requestId: string; salt: string },
  change: Change,
): Promise<Erasure> {
  const erasure = { id: newId(), salt }
  const receipt = { id: erasure.id, subject: erasureSubject(id, erasure.salt) }
  await withUserTerms(await statesOfUser(db.read, tenantId, id), (terms) =>
    change(async (tx, record) => {
      const request = { tenantId, userId: id, requestId, receipt }
      const isErased = await eraseWithReceipt(tx, request, { at: clock.now(), terms, record })
      if (!isErased) throw notFound('id', id)
    }),
  )
  bus.poke()
  return erasure
}
