import { findConfigurations } from '../../../db/repos/configurations.ts'
import { countWrongTransactionCode, findOfferByCode, type OfferByCode, spendOffer } from '../../../db/repos/offers.ts'
import { insertSession } from '../../../db/repos/sessions.ts'
import { plusMs } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors.ts'
import { hashSecret, newId, newSecret } from '../../../shared/ids.ts'
import { equalInConstantTime } from '../../../shared/secrets.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { scopeOf } from '../../issuer/scope.ts'
import { transactionCodeMac } from '../../offers/create-pre-authorized.ts'
import { grantAuthorizationDetails } from '../authorization-details.ts'
import type { TokenRequest, TokenResponse } from '../schemas.ts'

export type Grant = (deps: Deps, tenant: Tenant, request: TokenRequest) => Promise<TokenResponse>

/** OpenID4VCI 1.0, section 6.1: a bearer token that lives longer than 5 minutes would have to be bound to a key. */
const bearerLifetimeSeconds = 300

/** Redeems a pre-authorized code, once (OpenID4VCI 1.0, section 6). */
export const redeemPreAuthorizedCode: Grant = async (deps, tenant, request) => {
  const code = request['pre-authorized_code']
  if (code === undefined) throw new Problem('invalid_request', { message: 'pre-authorized_code is missing' })
  const offer = await findOfferByCode(deps.db.read, tenant.id, hashSecret(code))
  const at = deps.clock.now()
  if (!offer || offer.state !== 'usable' || offer.expiresAt <= at) throw new Problem('invalid_grant')
  await checkTransactionCode(deps, tenant, offer, request.tx_code)
  const granted = grantAuthorizationDetails(request.authorization_details, offer.configurationIds)

  const accessToken = newSecret()
  const spent = await deps.db.tx(async (tx) => {
    if (!(await spendOffer(tx, tenant.id, offer.id, at))) return false
    await insertSession(tx, {
      id: newId(),
      tenantId: tenant.id,
      userId: offer.userId,
      offerId: offer.id,
      clientId: request.client_id ?? null,
      configurationIds: offer.configurationIds,
      credentialIdentifiers: granted.credentialIdentifiers,
      tokenHash: hashSecret(accessToken),
      expiresAt: plusMs(at, bearerLifetimeSeconds * 1000),
      createdAt: at,
    })
    return true
  })
  if (!spent) throw new Problem('invalid_grant')
  const configurations = await findConfigurations(deps.db.read, tenant.id, offer.configurationIds)
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: bearerLifetimeSeconds,
    scope: configurations.map(scopeOf).join(' '),
    ...(granted.authorizationDetails ? { authorization_details: granted.authorizationDetails } : {}),
  }
}

/** OpenID4VCI 1.0, section 6.3. A wrong code counts against the offer, a missing or superfluous one does not. */
async function checkTransactionCode(
  deps: Deps,
  tenant: Tenant,
  offer: NonNullable<OfferByCode>,
  sent: string | undefined,
): Promise<void> {
  if (offer.transactionCodeMac === null) {
    if (sent !== undefined) throw new Problem('invalid_request', { message: 'This offer has no tx_code' })
    return
  }
  if (sent === undefined) throw new Problem('invalid_request', { message: 'tx_code is missing' })
  if (equalInConstantTime(transactionCodeMac(deps, offer.id, sent), offer.transactionCodeMac)) return
  await deps.db.tx((tx) => countWrongTransactionCode(tx, tenant.id, offer.id))
  throw new Problem('invalid_grant', { message: 'The tx_code is wrong' })
}
