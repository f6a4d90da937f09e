import { removeFromOutbox } from '../../db/outbox.ts'
import { findErasure, findErasureAudit, storeReceipt } from '../../db/repos/operations/erasures.ts'
import { findTenant } from '../../db/repos/tenancy/tenants.ts'
import { isServed } from '../../db/tables/tenancy/tenants.ts'
import { unixSeconds } from '../../shared/clock.ts'
import type { Payload } from '../../shared/jobs/registry.ts'
import { auditKey } from './checkpoint-audit.ts'
import type { SigningDeps } from './deps.ts'
import { signJwt } from './sign-jwt.ts'

/** Signs the receipt of an erasure as a JWT with the key of the audit. Does nothing if it is signed, or if the tenant is deleted. */
export async function signErasureReceipt(
  deps: SigningDeps,
  { tenantId, erasureId }: Payload<'signErasureReceipt'>,
): Promise<void> {
  const { db, clock, publicScheme } = deps
  const erasure = await findErasure(db.read, tenantId, erasureId)
  const tenant = await findTenant(db.read, tenantId)
  if (erasure?.receipt === null && tenant && isServed(tenant)) {
    const audit = await findErasureAudit(db.read, tenantId, erasure.requestId)
    if (!audit) throw new Error(`The erasure ${erasureId} has no audit row.`)
    const { rows, revoked, lists } = erasure.content
    const receipt = await signJwt(await auditKey(deps, tenantId), 'erasure-receipt+jwt', {
      iss: `${publicScheme}://${tenant.canonicalHost}`,
      iat: unixSeconds(clock.now()),
      jti: erasureId,
      sub: erasure.subject,
      erased_at: unixSeconds(erasure.createdAt),
      rows,
      credentials_revoked: revoked,
      status_lists: lists,
      audit,
    })
    await db.tx((tx) => storeReceipt(tx, tenantId, erasureId, { receipt, auditNumber: audit.number }))
  }
  await db.tx((tx) => removeFromOutbox(tx, [erasureId]))
}
