import { findOfferToRedeem } from '../../../db/repos/issuance/offers/offers.ts'
import { findAuthorization } from '../../../db/repos/issuance/sessions/authorizations.ts'
import { hashSecret, idOfSecret } from '../../../shared/ids.ts'
import { equalInConstantTime } from '../../../shared/secrets/secrets.ts'
import { tracing } from '../../../shared/tracing/tracing.ts'
import type { Tenant } from '../../access/subjects.ts'
import { isOfView } from '../../access/views.ts'
import type { Deps } from '../../deps.ts'
import type { TokenCall } from './grants/grant.ts'
import type { TokenRequest } from './schemas.ts'

interface Refused {
  deps: Deps
  tenant: Tenant
  body: TokenRequest
  attribute: TokenCall['attribute']
}

/**
 * Attributes a refused request to its offer, if the DPoP proof or the client attestation was refused before the code
 * was checked. So the refusal appears in the offer's timeline. A wrong code belongs to no offer.
 */
export async function attributeRefusedCode({ deps, tenant, body, attribute }: Refused): Promise<void> {
  const { code, 'pre-authorized_code': preAuthorized } = body
  if (preAuthorized !== undefined) {
    const offer = await findOfferToRedeem(deps.db.read, tenant.id, idOfSecret(preAuthorized))
    if (!offer || !isOfView(tenant, offer) || !equalInConstantTime(hashSecret(preAuthorized), offer.codeHash)) return
    attribute(offer.id, { userId: offer.userId })
    tracing?.join(offer.traceparent)
  } else if (code !== undefined) {
    const row = await findAuthorization(deps.db.read, tenant.id, idOfSecret(code))
    if (!row?.codeHash || !isOfView(tenant, row) || !equalInConstantTime(hashSecret(code), row.codeHash)) return
    attribute(row.offerId)
    tracing?.join(row.traceparent)
  }
}
