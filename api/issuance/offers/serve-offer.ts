import { idOfReference } from '../../../shared/domain/issuance/short-references.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import { tracing } from '../../../shared/tracing/tracing.ts'
import type { Tenant } from '../../access/subjects.ts'
import { isOfView } from '../../access/views.ts'
import type { Deps } from '../../deps.ts'
import type { CredentialOffer } from './offer-object.ts'
import { findShownByReference } from './shown.ts'

/**
 * Returns the offer behind a `credential_offer_uri` (OpenID4VCI 1.0, section 4.1.3), by the secret in its address.
 * Throws `gone` if it is not usable any more.
 */
export async function serveOffer(deps: Deps, tenant: Tenant, reference: string): Promise<CredentialOffer> {
  const offer = await findShownByReference(deps, tenant, reference)
  if (!offer || !isOfView(tenant, offer)) throw unknownAddress(idOfReference(reference))
  tracing?.join(offer.traceparent)
  if (offer.state !== 'offered') throw new Problem('gone')
  return offer.content()
}

/** For people who open the address by hand. The answer does not say whether an offer has the id. */
function unknownAddress(value: string): Problem {
  const msg =
    'No offer has this address. Wallets read the whole address in `credential_offer_uri`. Operators read an offer by its id'
  const see = 'GET /v1/openid/offers/{id}/details'
  return new Problem('not_found', { details: [{ msg, param: 'id', location: 'params', value, see }] })
}
