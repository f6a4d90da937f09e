import type { Writer } from '../../../db/client.ts'
import { findAllViews } from '../../../db/repos/issuance/views.ts'
import { wrongField } from '../../../shared/errors/errors.ts'
import type { Tenant } from '../../access/subjects.ts'
import { throughView } from '../../access/views.ts'

/**
 * Throws `bad_request` if the audience is the issuer identifier of a view. A token for this view would be valid at the tenant too. Needs
 * the lock of the tenant, which the creation of a view has too.
 */
export async function refuseAudienceOfView(
  tx: Writer,
  tenant: Tenant,
  { audience }: { audience: string },
): Promise<void> {
  const views = await findAllViews(tx, tenant.id)
  if (!views.some((view) => throughView(tenant, view).issuer === audience)) return
  const message =
    'This is the issuer identifier of a view, which accepts tokens with this audience anyway. Name an audience for the tenant itself'
  throw wrongField('audience', message, audience)
}
