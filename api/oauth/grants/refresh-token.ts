import {
  type AuthorizationRow,
  findAuthorization,
  keepAuthorizationUntil,
  revokeGrant,
} from '../../../db/repos/authorizations.ts'
import { findRefreshToken, type RefreshTokenRow, spendRefreshToken } from '../../../db/repos/refresh-tokens.ts'
import { Problem } from '../../../shared/errors.ts'
import { hashSecret, idOfSecret } from '../../../shared/ids.ts'
import { equalInConstantTime } from '../../../shared/secrets.ts'
import { newAccessToken, presentAccessToken, storeAccessToken } from '../access-token.ts'
import { identifiersOf } from '../authorization-details.ts'
import { newRefreshToken, storeRefreshToken } from '../refresh-token.ts'
import type { Grant, TokenCall } from './grant.ts'

/**
 * Gives a wallet another access token for the credentials that it was granted, to collect them anew (OpenID4VCI 1.0,
 * section 13.5). Rotated (RFC 9700, section 4.14.2): each refresh token works once, a second use ends the whole grant.
 */
export const redeemRefreshToken: Grant = async (call) => {
  const { deps, tenant, client, dpopJkt } = call
  const { token, grant } = await refreshTokenOf(call)
  if (dpopJkt === null) throw new Problem('invalid_dpop_proof', { message: 'The refresh token is bound to a key' })
  if (dpopJkt !== token.dpopJkt) throw new Problem('invalid_grant', { message: 'It is bound to another key' })
  const { configurationIds, detailsRequested } = grant
  const issued = newAccessToken(deps, tenant, {
    userId: token.userId,
    clientId: client.clientId,
    offerId: grant.offerId,
    grantId: grant.id,
    configurationIds,
    dpopJkt,
    ...(detailsRequested ? identifiersOf(configurationIds) : { credentialIdentifiers: {} }),
  })
  const next = newRefreshToken(deps, { grant, userId: token.userId, dpopJkt })
  const isFirst = await deps.db.tx(async (tx) => {
    if (!(await spendRefreshToken(tx, tenant.id, token.id, deps.clock.now()))) return false
    await storeAccessToken(tx, issued)
    await storeRefreshToken(tx, next)
    await keepAuthorizationUntil(tx, tenant.id, grant.id, next.row.expiresAt)
    return true
  })
  if (!isFirst) throw await usedTwice(call, token)
  const { response, sessionId } = await presentAccessToken(deps, tenant, issued)
  return { sessionId, response: { ...response, refresh_token: next.token } }
}

async function refreshTokenOf(call: TokenCall): Promise<{ token: RefreshTokenRow; grant: AuthorizationRow }> {
  const { deps, tenant, request, client, about } = call
  const { refresh_token: sent } = request
  if (sent === undefined) throw new Problem('invalid_request', { message: 'refresh_token is missing' })
  const token = await findRefreshToken(deps.db.read, tenant.id, idOfSecret(sent))
  if (!token || !equalInConstantTime(hashSecret(sent), token.tokenHash)) throw wrong()
  const grant = await findAuthorization(deps.db.read, tenant.id, token.grantId)
  about(grant?.offerId)
  if (grant?.state !== 'redeemed' || grant.clientId !== client.clientId) throw wrong()
  if (grant.instanceJkt !== null && client.instanceJkt !== grant.instanceJkt) throw wrong()
  if (token.spentAt !== null) throw await usedTwice(call, token)
  if (token.expiresAt <= deps.clock.now()) throw wrong()
  return { token, grant }
}

async function usedTwice({ deps, tenant }: TokenCall, { grantId }: RefreshTokenRow): Promise<Problem> {
  await deps.db.tx((tx) => revokeGrant(tx, tenant.id, grantId))
  return new Problem('invalid_grant', { message: 'The refresh token was used before; what it gave is revoked' })
}

function wrong(): Problem {
  return new Problem('invalid_grant', { message: 'The refresh token is wrong, expired or used' })
}
