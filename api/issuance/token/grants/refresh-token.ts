import {
  type AuthorizationRow,
  findAuthorization,
  keepAuthorizationUntil,
  revokeGrant,
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
import { newAccessToken, presentAccessToken, storeAccessToken } from '../access-token.ts'
import { identifiersOf } from '../authorization-details.ts'
import { newRefreshToken, storeRefreshToken } from '../refresh-token.ts'
import { answerAgain } from './answer-again.ts'
import type { Grant, Granted, TokenCall } from './grant.ts'
import { isGrantOfClient } from './grant-of-client.ts'

/**
 * Gives a wallet another access token for the credentials that it was granted, to collect them anew (OpenID4VCI 1.0,
 * section 13.5). Rotated (RFC 9700, section 4.14.2): each refresh token works once, a second use ends the whole grant,
 * unless it is the same wallet that asks again for an answer that it did not get.
 */
export const redeemRefreshToken: Grant = async (call) => {
  const { deps, tenant, client, request, dpopJkt } = call
  const { refresh_token: sent } = request
  if (sent === undefined) throw new Problem('invalid_request', { message: 'refresh_token is missing' })
  const { token, grant } = await refreshTokenFor(call, sent)
  if (token.spentAt !== null) return redeemedBefore(call, token, sent)
  if (token.expiresAt <= deps.clock.now()) throw wrong()
  if (dpopJkt === null) throw new Problem('invalid_dpop_proof', { message: 'The refresh token is bound to a key' })
  if (dpopJkt !== token.dpopJkt) throw new Problem('invalid_grant', { message: 'It is bound to another key' })
  const { userId } = token
  const { id: grantId, offerId, configurationIds, detailsRequested } = grant
  const credentialIdentifiers = detailsRequested ? identifiersOf(configurationIds) : {}
  const rights = { userId, client, offerId, grantId, configurationIds, credentialIdentifiers, dpopJkt }
  const issued = newAccessToken(deps, tenant, rights, sent)
  const { session } = issued
  const next = newRefreshToken(deps, session, sent)
  if (!next) throw new Error('a session that is bound to a key has a refresh token')
  const isFirst = await deps.db.tx(async (tx) => {
    if (!(await spendRefreshToken(tx, tenant.id, token.id, session.createdAt))) return false
    await storeAccessToken(tx, issued)
    await storeRefreshToken(tx, next)
    await keepAuthorizationUntil(tx, tenant.id, grantId, next.row.expiresAt)
    return true
  })
  if (!isFirst) return redeemedBefore(call, token, sent)
  const { response, sessionId } = await presentAccessToken(deps, tenant, issued, session.createdAt)
  return { sessionId, response: { ...response, refresh_token: next.token } }
}

async function refreshTokenFor(
  call: TokenCall,
  sent: string,
): Promise<{ token: RefreshTokenRow; grant: AuthorizationRow }> {
  const { deps, tenant, about } = call
  const token = await findRefreshToken(deps.db.read, tenant.id, idOfSecret(sent))
  if (!token || !equalInConstantTime(hashSecret(sent), token.tokenHash)) throw wrong({ isWrongSecret: true })
  const grant = await findAuthorization(deps.db.read, tenant.id, token.grantId)
  about(grant?.offerId)
  if (grant?.state !== 'redeemed' || !isGrantOfClient(call, grant)) throw wrong()
  return { token, grant }
}

/** The same answer, for the wallet that it was for; from anybody else a second use takes back everything. */
async function redeemedBefore(call: TokenCall, { grantId }: RefreshTokenRow, sent: string): Promise<Granted> {
  const { deps, tenant } = call
  const session = await findExchanged(deps.db.read, tenant.id, grantId, hashSecret(sent))
  const again = await answerAgain(call, session, sent)
  if (again) return again
  await deps.db.tx((tx) => revokeGrant(tx, tenant.id, grantId))
  throw new Problem('invalid_grant', { message: 'The refresh token was used before; what it gave is revoked' })
}

function wrong(more: { isWrongSecret?: true } = {}): Problem {
  return new Problem('invalid_grant', { message: 'The refresh token is wrong, expired or used', ...more })
}
