import { findOfferToRedeem, judgeTransactionCode, type OfferToRedeem, spendOffer } from '../../../db/repos/offers.ts'
import { insertSession } from '../../../db/repos/sessions.ts'
import { plusMs } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors.ts'
import { hashSecret, idOfSecret, newOrderedId, newSecretOf } from '../../../shared/ids.ts'
import { equalInConstantTime } from '../../../shared/secrets.ts'
import type { Tenant } from '../../access/subjects.ts'
import { findRecentConfigurations } from '../../configurations/recent.ts'
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
  const offer = await findOfferToRedeem(deps.db.read, tenant.id, idOfSecret(code))
  if (!offer || !equalInConstantTime(hashSecret(code), offer.codeHash)) throw new Problem('invalid_grant')
  const at = deps.clock.now()
  if (offer.state !== 'usable' || offer.expiresAt <= at) throw new Problem('invalid_grant')
  const isRightGuess = readTransactionCode(deps, offer, request.tx_code)
  const granted = grantAuthorizationDetails(request.authorization_details, offer.configurationIds)

  const sessionId = newOrderedId(at)
  const accessToken = newSecretOf(sessionId)
  const outcome = await deps.db.tx(async (tx) => {
    const judged =
      isRightGuess === undefined ? 'right' : await judgeTransactionCode(tx, tenant.id, offer.id, isRightGuess)
    if (judged !== 'right') return judged
    if (!(await spendOffer(tx, tenant.id, offer.id, at))) return 'not judged'
    await insertSession(tx, {
      id: sessionId,
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
    return 'right'
  })
  if (outcome === 'wrong') throw new Problem('invalid_grant', { message: 'The tx_code is wrong' })
  if (outcome === 'not judged') throw new Problem('invalid_grant')
  const configurations = await findRecentConfigurations(deps, tenant.id, offer.configurationIds)
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: bearerLifetimeSeconds,
    scope: [...new Set(configurations.map(scopeOf))].join(' '),
    ...(granted.authorizationDetails ? { authorization_details: granted.authorizationDetails } : {}),
  }
}

/**
 * Whether the code that was sent is the offer's; undefined when the offer has none. OpenID4VCI 1.0, section 6.3: one that
 * is missing or superfluous is a malformed request, and no guess.
 */
function readTransactionCode(
  deps: Deps,
  { id, transactionCodeMac: mac }: OfferToRedeem,
  sent: string | undefined,
): boolean | undefined {
  if (mac === null && sent === undefined) return undefined
  if (mac === null) throw new Problem('invalid_request', { message: 'This offer has no tx_code' })
  if (sent === undefined) throw new Problem('invalid_request', { message: 'tx_code is missing' })
  return equalInConstantTime(transactionCodeMac(deps, id, sent), mac)
}
