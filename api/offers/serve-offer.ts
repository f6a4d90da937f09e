import { findOffer, findSharedOffer } from '../../db/repos/offers.ts'
import { notFound, Problem } from '../../shared/errors.ts'
import type { Tenant } from '../access/subjects.ts'
import type { Deps } from '../deps.ts'
import { openCode } from './create-pre-authorized.ts'
import { type CredentialOffer, preAuthorizedOffer, sharedOffer } from './offer-object.ts'

/**
 * The offer behind a `credential_offer_uri` (OpenID4VCI 1.0, section 4.1.3). Only an offer whose URI points here is
 * served: the others' codes are not kept. Throws `gone` once it cannot be used.
 */
export async function serveOffer(deps: Deps, tenant: Tenant, id: string): Promise<CredentialOffer> {
  const shared = await findSharedOffer(deps.db.read, tenant.id, id)
  if (shared) return sharedOffer(tenant.baseUrl, shared.configurationIds, shared.id)
  const offer = await findOffer(deps.db.read, tenant.id, id)
  if (!offer?.sealedCode) throw notFound('id', id)
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
