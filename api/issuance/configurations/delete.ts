import type { Writer } from '../../../db/client.ts'
import { findBulkWithLinks } from '../../../db/repos/issuance/claim-links/claim-links-of-bulk.ts'
import {
  deleteConfiguration,
  findConfiguration,
  isOffered,
  isShared,
} from '../../../db/repos/issuance/configurations.ts'
import type { CredentialProfile } from '../../../shared/domain/issuance/profiles.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import type { Deps } from '../../deps.ts'
import { forgetConfiguration } from './recent.ts'

/** Deletes a configuration that no usable offer names. Checks pre-authorized offers, shared offers and claim links. */
export async function removeConfiguration(
  deps: Deps,
  tenantId: string,
  profile: CredentialProfile,
  id: string,
): Promise<void> {
  await deps.db.tx(async (tx) => {
    const configuration = await findConfiguration(tx, tenantId, id)
    if (configuration?.profile !== profile) throw notFound('id', id)
    // Usable offers are checked before the delete waits for the lock. A configuration that is offered constantly is
    // locked constantly.
    await refuseOffered(tx, deps, tenantId, id)
    // The row is deleted before the second check. Offers that are being created lock the row, so the second check sees
    // them.
    if (!(await deleteConfiguration(tx, tenantId, id, profile))) throw notFound('id', id)
    await refuseOffered(tx, deps, tenantId, id)
  })
  forgetConfiguration(deps, tenantId, id)
}

async function refuseOffered(tx: Writer, { clock }: Deps, tenantId: string, id: string): Promise<void> {
  const bulkId = await findBulkWithLinks(tx, tenantId, id, clock.now())
  if (bulkId !== undefined) {
    const message = `Claim links of the bulk issuance ${bulkId} name this configuration. Delete the bulk issuance first: /v1/bulk-issuances/${bulkId}.`
    throw new Problem('conflict', { message })
  }
  const isPreAuthorized = await isOffered(tx, tenantId, id, clock.now())
  if (!isPreAuthorized && !(await isShared(tx, tenantId, id))) return
  const offers = isPreAuthorized ? 'Usable pre-authorized offers (valid for at most ten minutes)' : 'Shared offers'
  throw new Problem('conflict', {
    message: `${offers} name this configuration. Delete them first: /v1/openid/offers?state=usable&configurationId=${id} lists them.`,
  })
}
