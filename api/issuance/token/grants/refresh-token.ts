import {
  type AuthorizationRow,
  extendAuthorization,
  findAuthorization,
} from '../../../../db/repos/issuance/sessions/authorizations.ts'
import {
  extendRefreshToken,
  findRefreshToken,
  type RefreshTokenRow,
} from '../../../../db/repos/issuance/sessions/refresh-tokens.ts'
import { Problem } from '../../../../shared/errors/errors.ts'
import { hashSecret, idOfSecret } from '../../../../shared/ids.ts'
import { equalInConstantTime } from '../../../../shared/secrets/secrets.ts'
import { tracing } from '../../../../shared/tracing/tracing.ts'
import { isOfView } from '../../../access/views.ts'
import { newAccessToken, presentAccessToken, storeAccessToken } from '../access-token.ts'
import { identifiersFor } from '../authorization-details.ts'
import { refreshTokenExpiry } from '../refresh-token.ts'
import { isAuthorizationOfClient } from './authorization-of-client.ts'
import type { Grant, TokenCall } from './grant.ts'

/**
 * Issues another access token for the granted credentials, so that the wallet can collect them again (OpenID4VCI 1.0,
 * section 13.5). The refresh token is bound to a key and stays the same (FAPI 2.0 Security Profile, section 5.3.2.1).
 * Each use extends its validity.
 */
export const redeemRefreshToken: Grant = async (call) => {
  const { deps, tenant, client, request, dpopJkt } = call
  const { refresh_token: sent } = request
  if (sent === undefined) throw new Problem('invalid_request', { message: 'refresh_token is missing' })
  const { token, authorization } = await refreshTokenFor(call, sent)
  if (token.spentAt !== null || token.expiresAt <= deps.clock.now()) throw wrong()
  if (dpopJkt === null)
    throw new Problem('invalid_dpop_proof', {
      message: 'The refresh token is bound to a key: a DPoP proof is required',
      check: 'dpop_key',
    })
  if (dpopJkt !== token.dpopJkt)
    throw new Problem('invalid_grant', { message: 'It is bound to another key', check: 'dpop_key' })
  const { userId } = token
  const { id: authorizationId, offerId, configurationIds, traceparent } = authorization
  const credentialIdentifiers = identifiersFor(request.authorization_details, authorization)
  const granted = { offerId, authorizationId, configurationIds, credentialIdentifiers }
  const rights = { userId, client, ...granted, dpopJkt, traceparent }
  const issued = newAccessToken(deps, tenant, rights, sent)
  const { session } = issued
  const expiresAt = refreshTokenExpiry(session.createdAt)
  await deps.db.tx(async (tx) => {
    // The lock order of hold.ts: the authorization before its refresh tokens.
    await extendAuthorization(tx, tenant.id, authorizationId, expiresAt)
    if (!(await extendRefreshToken(tx, tenant.id, token.id, expiresAt))) throw wrong()
    await storeAccessToken(tx, issued)
  })
  const { response, sessionId } = await presentAccessToken(deps, tenant, issued, session.createdAt)
  call.attribute(session.offerId, { sessionId })
  return { sessionId, response: { ...response, refresh_token: sent } }
}

async function refreshTokenFor(
  call: TokenCall,
  sent: string,
): Promise<{ token: RefreshTokenRow; authorization: AuthorizationRow }> {
  const { deps, tenant, attribute } = call
  const token = await findRefreshToken(deps.db.read, tenant.id, idOfSecret(sent))
  if (!token || !equalInConstantTime(hashSecret(sent), token.tokenHash)) throw wrong({ isWrongSecret: true })
  const ofTenant = await findAuthorization(deps.db.read, tenant.id, token.authorizationId)
  const authorization = ofTenant && isOfView(tenant, ofTenant) ? ofTenant : undefined
  attribute(authorization?.offerId)
  if (authorization?.state !== 'redeemed' || !isAuthorizationOfClient(call, authorization)) throw wrong()
  tracing?.join(authorization.traceparent)
  return { token, authorization }
}

function wrong(more: { isWrongSecret?: true } = {}): Problem {
  const message = 'The refresh token is wrong, expired or revoked'
  return new Problem('invalid_grant', { message, check: 'refresh_token', ...more })
}
