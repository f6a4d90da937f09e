import { findAuthorization } from '../../../db/repos/issuance/authorizations.ts'
import { findOfferToRedeem } from '../../../db/repos/issuance/offers.ts'
import { hashSecret, idOfSecret } from '../../../shared/ids.ts'
import { equalInConstantTime } from '../../../shared/secrets.ts'
import type { Tenant } from '../../access/subjects.ts'
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
 * Says which offer a request was about that is refused before its code counts, because of its DPoP proof or client attestation: whoever
 * looks at the offer's timeline finds it there. A code that is wrong names none.
 */
export async function attributeRefusedCode({ deps, tenant, body, attribute }: Refused): Promise<void> {
  const { code, 'pre-authorized_code': preAuthorized } = body
  if (preAuthorized !== undefined) {
    const offer = await findOfferToRedeem(deps.db.read, tenant.id, idOfSecret(preAuthorized))
    if (offer && equalInConstantTime(hashSecret(preAuthorized), offer.codeHash))
      attribute(offer.id, { userId: offer.userId })
  } else if (code !== undefined) {
    const row = await findAuthorization(deps.db.read, tenant.id, idOfSecret(code))
    if (row?.codeHash && equalInConstantTime(hashSecret(code), row.codeHash)) attribute(row.offerId)
  }
}
