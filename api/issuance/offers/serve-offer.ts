import { findOffer, findSharedOffer } from '../../../db/repos/issuance/offers.ts'
import { notFound, Problem } from '../../../shared/errors.ts'
import { hashSecret } from '../../../shared/ids.ts'
import { equalInConstantTime } from '../../../shared/secrets.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { openCode } from './create-pre-authorized.ts'
import { type CredentialOffer, preAuthorizedOffer, sharedOffer } from './offer-object.ts'

/**
 * The offer behind a `credential_offer_uri` (OpenID4VCI 1.0, section 4.1.3), by the secret in its address: events and webhooks
 * tell offers' ids, which open nothing. Of pre-authorized offers only one whose URI points here is served: the others' codes
 * are not kept. Throws `gone` once it cannot be used.
 */
export async function serveOffer(deps: Deps, tenant: Tenant, reference: string): Promise<CredentialOffer> {
  const [id = ''] = reference.split('.')
  const shared = await findSharedOffer(deps.db.read, tenant.id, id)
  if (shared?.deletedAt === null && isOpenedBy(shared, reference))
    return sharedOffer(tenant.baseUrl, shared.configurationIds, shared.id)
  const offer = await findOffer(deps.db.read, tenant.id, id)
  if (!offer?.sealedCode || !isOpenedBy(offer, reference)) throw notFound('id', id)
  if (offer.state !== 'usable' || offer.expiresAt <= deps.clock.now()) throw new Problem('gone')
  const code = openCode(deps, offer.id, offer.sealedCode)
  const { transactionCodeMac, transactionCodeDescription } = offer
  const description = transactionCodeDescription === null ? {} : { description: transactionCodeDescription }
  return preAuthorizedOffer(
    tenant.baseUrl,
    offer.configurationIds,
    code,
    transactionCodeMac === null ? undefined : description,
  )
}

/**
 * Offers without such a secret were made before addresses had one, and are still served by their ids: pre-authorized ones
 * for the ten minutes that they last, shared ones, which hold no secret, as long as they are there.
 */
function isOpenedBy({ id, referenceHash }: { id: string; referenceHash: string | null }, reference: string): boolean {
  return referenceHash === null ? reference === id : equalInConstantTime(hashSecret(reference), referenceHash)
}
