import { createHmac, randomBytes } from 'node:crypto'
import { addToOutbox } from '../../../db/outbox.ts'
import { statesOfUser } from '../../../db/repos/issuance/user-states.ts'
import { withUserTerms } from '../../../db/repos/issuance/user-terms.ts'
import type { Change } from '../../../db/repos/operations/audited.ts'
import { insertErasure } from '../../../db/repos/operations/erasures.ts'
import { eraseUser } from '../../../db/retention/erasure.ts'
import { notFound } from '../../../shared/errors.ts'
import { newId } from '../../../shared/ids.ts'
import type { Deps } from '../../deps.ts'

/** What identifies an erasure. */
export interface Erasure {
  id: string
  /** Base64url, 32 bytes. The key of the HMAC of the user's id in the receipt. It is not stored. */
  salt: string
}

/** Erases a user, and queues the signature of the receipt. Throws `not_found` if the user does not exist. */
export async function deleteUser(
  { db, bus, clock }: Deps,
  { tenantId, id, requestId }: { tenantId: string; id: string; requestId: string },
  change: Change,
): Promise<Erasure> {
  const erasure = { id: newId(), salt: randomBytes(32).toString('base64url') }
  const subject = createHmac('sha256', Buffer.from(erasure.salt, 'base64url')).update(id).digest('base64url')
  await withUserTerms(await statesOfUser(db.read, tenantId, id), (terms) =>
    change(async (tx, record) => {
      const at = clock.now()
      const content = await eraseUser(tx, tenantId, id, at, terms)
      if (!content) throw notFound('id', id)
      await insertErasure(tx, { id: erasure.id, tenantId, subject, content, requestId, createdAt: at })
      const receipt = { id: erasure.id, payload: { tenantId, erasureId: erasure.id } }
      await addToOutbox(tx, 'signErasureReceipt', [receipt], at)
      record(tenantId, { id, erasureId: erasure.id })
    }),
  )
  bus.poke()
  return erasure
}
