import type { Writer } from '../../../../db/client.ts'
import {
  type AuthorizationRow,
  extendAuthorization,
  findAuthorization,
  revokeAuthorization,
} from '../../../../db/repos/issuance/authorizations.ts'
import {
  findRefreshToken,
  type RefreshTokenRow,
  spendRefreshToken,
} from '../../../../db/repos/issuance/refresh-tokens.ts'
import { findExchanged } from '../../../../db/repos/issuance/sessions.ts'
import { Problem } from '../../../../shared/errors.ts'
import { hashSecret, idOfSecret } from '../../../../shared/ids.ts'
import { equalInConstantTime } from '../../../../shared/secrets.ts'
import { tracing } from '../../../../shared/tracing/tracing.ts'
import { newAccessToken, presentAccessToken, storeAccessToken } from '../access-token.ts'
import { identifiersFor } from '../authorization-details.ts'
import { newRefreshToken, storeRefreshToken } from '../refresh-token.ts'
import { isAuthorizationOfClient } from './authorization-of-client.ts'
import type { Grant, Granted, TokenCall } from './grant.ts'
import { findRepeat, presentRepeat, type Repeat } from './repeat.ts'

/**
 * Issues another access token for the granted credentials, so that the wallet can collect them again (OpenID4VCI 1.0,
 * section 13.5). Refresh tokens are rotated (RFC 9700, section 4.14.2): each one works once. A second use revokes the
 * whole authorization, unless it is a repeat (`findRepeat`).
 */
export const redeemRefreshToken: Grant = async (call) => {
  const { deps, tenant, client, request, dpopJkt } = call
  const { refresh_token: sent } = request
  if (sent === undefined) throw new Problem('invalid_request', { message: 'refresh_token is missing' })
  const { token, authorization } = await refreshTokenFor(call, sent)
  if (token.spentAt !== null) return redeemedBefore(call, token, sent)
  if (token.expiresAt <= deps.clock.now()) throw wrong()
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
  const next = newRefreshToken(deps, session, sent)
  if (!next) throw new Error('a session that is bound to a key must have a refresh token')
  const outcome = await deps.db.tx(async (tx) => {
    // The lock order of hold.ts: the authorization before its refresh tokens.
    await extendAuthorization(tx, tenant.id, authorizationId, next.row.expiresAt)
    if (!(await spendRefreshToken(tx, tenant.id, token.id, session.createdAt)))
      return repeatOrRevoke(tx, call, token, sent)
    await storeAccessToken(tx, issued)
    await storeRefreshToken(tx, next)
    return 'redeemed'
  })
  if (outcome !== 'redeemed') return repeated(call, outcome)
  const { response, sessionId } = await presentAccessToken(deps, tenant, issued, session.createdAt)
  call.attribute(session.offerId, { sessionId })
  return { sessionId, response: { ...response, refresh_token: next.token } }
}

async function refreshTokenFor(
  call: TokenCall,
  sent: string,
): Promise<{ token: RefreshTokenRow; authorization: AuthorizationRow }> {
  const { deps, tenant, attribute } = call
  const token = await findRefreshToken(deps.db.read, tenant.id, idOfSecret(sent))
  if (!token || !equalInConstantTime(hashSecret(sent), token.tokenHash)) throw wrong({ isWrongSecret: true })
  const authorization = await findAuthorization(deps.db.read, tenant.id, token.authorizationId)
  attribute(authorization?.offerId)
  if (authorization?.state !== 'redeemed' || !isAuthorizationOfClient(call, authorization)) throw wrong()
  tracing?.join(authorization.traceparent)
  return { token, authorization }
}

async function redeemedBefore(call: TokenCall, token: RefreshTokenRow, sent: string): Promise<Granted> {
  return repeated(call, await call.deps.db.tx((tx) => repeatOrRevoke(tx, call, token, sent)))
}

async function repeated(call: TokenCall, repeat: Repeat | undefined): Promise<Granted> {
  if (repeat) return presentRepeat(call, repeat)
  throw new Problem('invalid_grant', {
    message: 'The refresh token was used before. The tokens issued for it are revoked',
    check: 'refresh_token',
  })
}

/** Finds the tokens of the first use for a request that may be repeated. Otherwise revokes the authorization. */
async function repeatOrRevoke(
  tx: Writer,
  call: TokenCall,
  { authorizationId }: RefreshTokenRow,
  sent: string,
): Promise<Repeat | undefined> {
  const tenantId = call.tenant.id
  const session = await findExchanged(tx, tenantId, authorizationId, hashSecret(sent))
  const repeat = await findRepeat(tx, call, session, sent)
  if (!repeat) await revokeAuthorization(tx, tenantId, authorizationId)
  return repeat
}

function wrong(more: { isWrongSecret?: true } = {}): Problem {
  const message = 'The refresh token is wrong, expired or used'
  return new Problem('invalid_grant', { message, check: 'refresh_token', ...more })
}
