import { hash } from 'node:crypto'
import {
  type AuthorizationRow,
  findAuthorization,
  keepAuthorizationUntil,
  moveAuthorization,
  revokeAuthorization,
} from '../../../../db/repos/issuance/authorizations.ts'
import { findExchanged } from '../../../../db/repos/issuance/sessions.ts'
import { Problem } from '../../../../shared/errors.ts'
import { hashSecret, idOfSecret } from '../../../../shared/ids.ts'
import { equalInConstantTime } from '../../../../shared/secrets.ts'
import { newAccessToken, presentAccessToken, storeAccessToken } from '../access-token.ts'
import { grantAuthorizationDetails, identifiersOf } from '../authorization-details.ts'
import { newRefreshToken, storeRefreshToken } from '../refresh-token.ts'
import { answerAgain } from './answer-again.ts'
import { isAuthorizationOfClient } from './authorization-of-client.ts'
import type { Grant, Granted, TokenCall } from './grant.ts'

/**
 * Redeems an authorization code, once (RFC 6749, section 4.1.3). A second use takes back what the first gave, unless it is
 * the same wallet that asks again for an answer that it did not get.
 */
export const redeemAuthorizationCode: Grant = async (call) => {
  const { deps, tenant, request, client, dpopJkt } = call
  const { code } = request
  if (code === undefined) throw new Problem('invalid_request', { message: 'code is missing' })
  const authorization = await authorizationOf(call, code)
  if (authorization.state === 'redeemed') return redeemedBefore(call, authorization, code)
  const unbound = whyUnbound(call, authorization)
  if (unbound) throw unbound
  const { id: authorizationId, configurationIds, offerId, userId } = authorization
  if (userId === null) throw new Error('a code was granted to nobody')
  const credentialIdentifiers = identifiersFor(call, authorization)
  const rights = { userId, client, offerId, authorizationId, configurationIds, credentialIdentifiers, dpopJkt }
  const issued = newAccessToken(deps, tenant, rights, code)
  const { session } = issued
  const refresh = newRefreshToken(deps, session, code)
  const isFirst = await deps.db.tx(async (tx) => {
    const redeemed = { state: 'redeemed' as const }
    const moved = await moveAuthorization(tx, authorization, redeemed, session.createdAt)
    if (!moved) return false
    await storeAccessToken(tx, issued)
    if (refresh) await storeRefreshToken(tx, refresh)
    await keepAuthorizationUntil(tx, tenant.id, authorizationId, refresh?.row.expiresAt ?? session.expiresAt)
    return true
  })
  if (!isFirst) return redeemedBefore(call, authorization, code)
  const { response, sessionId } = await presentAccessToken(deps, tenant, issued, session.createdAt)
  call.about(offerId, { sessionId })
  return { sessionId, response: { ...response, ...(refresh ? { refresh_token: refresh.token } : {}) } }
}

async function authorizationOf(call: TokenCall, code: string): Promise<AuthorizationRow> {
  const { deps, tenant, about } = call
  const row = await findAuthorization(deps.db.read, tenant.id, idOfSecret(code))
  about(row?.offerId)
  const isCode = row?.codeHash && equalInConstantTime(hashSecret(code), row.codeHash)
  if (!row || !isCode) throw new Problem('invalid_grant', { isWrongSecret: true })
  if (!isAuthorizationOfClient(call, row))
    throw new Problem('invalid_grant', { reason: 'The code is of another client' })
  if (row.state === 'redeemed') return row
  if (row.state !== 'granted' || row.expiresAt <= deps.clock.now())
    throw new Problem('invalid_grant', { reason: 'The code is expired, or was taken back' })
  return row
}

function identifiersFor({ request }: TokenCall, { configurationIds, detailsRequested }: AuthorizationRow) {
  const details = request.authorization_details
  if (details === undefined && detailsRequested) return identifiersOf(configurationIds)
  return grantAuthorizationDetails(details, configurationIds)
}

/**
 * The same answer, for the wallet that it was for. From anybody else a second use takes back everything (RFC 6749, section
 * 4.1.2): somebody has the code who should not, and nobody knows which of the two it is.
 */
async function redeemedBefore(call: TokenCall, authorization: AuthorizationRow, code: string): Promise<Granted> {
  const { deps, tenant } = call
  const { id } = authorization
  if (!whyUnbound(call, authorization)) {
    const session = await findExchanged(deps.db.read, tenant.id, id, hashSecret(code))
    const again = await answerAgain(call, session, code)
    if (again) return again
  }
  await deps.db.tx((tx) => revokeAuthorization(tx, tenant.id, id))
  throw new Problem('invalid_grant', { message: 'The code was used before; what it gave is revoked' })
}

const verifier = /^[A-Za-z0-9._~-]{43,128}$/

/** Why it is another wallet than the one that asked for the code: by redirect URI, PKCE verifier and key. */
function whyUnbound({ request, dpopJkt }: TokenCall, authorization: AuthorizationRow): Problem | undefined {
  if (request.redirect_uri !== authorization.redirectUri) {
    return new Problem('invalid_grant', { message: 'The redirect_uri is another than that of the authorization' })
  }
  if (request.code_verifier === undefined)
    return new Problem('invalid_request', { message: 'code_verifier is missing' })
  // RFC 7636, section 4.6.
  const challenge = hash('sha256', request.code_verifier, 'base64url')
  if (!verifier.test(request.code_verifier) || !equalInConstantTime(challenge, authorization.codeChallenge)) {
    return new Problem('invalid_grant', { message: 'The code_verifier is wrong' })
  }
  // RFC 9449, section 10.
  if (authorization.dpopJkt !== null && dpopJkt === null) {
    return new Problem('invalid_dpop_proof', { message: 'The code is bound to a key: a DPoP proof is needed' })
  }
  if (authorization.dpopJkt !== null && dpopJkt !== authorization.dpopJkt) {
    return new Problem('invalid_grant', { message: 'The code is bound to another key' })
  }
  return undefined
}
