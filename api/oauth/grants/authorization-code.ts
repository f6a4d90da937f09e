import { hash } from 'node:crypto'
import {
  type AuthorizationRow,
  findAuthorization,
  keepAuthorizationUntil,
  moveAuthorization,
  revokeGrant,
} from '../../../db/repos/authorizations.ts'
import { Problem } from '../../../shared/errors.ts'
import { hashSecret, idOfSecret } from '../../../shared/ids.ts'
import { equalInConstantTime } from '../../../shared/secrets.ts'
import { newAccessToken, presentAccessToken, storeAccessToken } from '../access-token.ts'
import { grantAuthorizationDetails, identifiersOf } from '../authorization-details.ts'
import { newRefreshToken, storeRefreshToken } from '../refresh-token.ts'
import type { Grant, TokenCall } from './grant.ts'

/** Redeems an authorization code, once (RFC 6749, section 4.1.3). A second use takes back what the first gave. */
export const redeemAuthorizationCode: Grant = async (call) => {
  const { deps, tenant, request, client, dpopJkt } = call
  const authorization = await authorizationOf(call)
  checkBinding(call, authorization)
  const { configurationIds, detailsRequested, offerId } = authorization
  const details = request.authorization_details
  const granted =
    details === undefined && detailsRequested
      ? identifiersOf(configurationIds)
      : grantAuthorizationDetails(details, configurationIds)
  const { userId } = authorization
  if (userId === null) throw new Error('a code was granted to nobody')
  const issued = newAccessToken(deps, tenant, {
    userId,
    clientId: client.clientId,
    offerId,
    grantId: authorization.id,
    configurationIds,
    dpopJkt,
    ...granted,
  })
  const refresh = dpopJkt === null ? undefined : newRefreshToken(deps, { grant: authorization, userId, dpopJkt })
  const isFirst = await deps.db.tx(async (tx) => {
    const redeemed = { state: 'redeemed' as const }
    const moved = await moveAuthorization(tx, authorization, redeemed, deps.clock.now())
    if (!moved) return false
    await storeAccessToken(tx, issued)
    if (refresh) await storeRefreshToken(tx, refresh)
    const until = refresh?.row.expiresAt ?? issued.session.expiresAt
    await keepAuthorizationUntil(tx, tenant.id, authorization.id, until)
    return true
  })
  if (!isFirst) throw await usedTwice(call, authorization)
  const { response, sessionId } = await presentAccessToken(deps, tenant, issued)
  return { sessionId, response: { ...response, ...(refresh ? { refresh_token: refresh.token } : {}) } }
}

async function authorizationOf(call: TokenCall): Promise<AuthorizationRow> {
  const { deps, tenant, request, client, about } = call
  if (request.code === undefined) throw new Problem('invalid_request', { message: 'code is missing' })
  const row = await findAuthorization(deps.db.read, tenant.id, idOfSecret(request.code))
  about(row?.offerId)
  const isCode = row?.codeHash && equalInConstantTime(hashSecret(request.code), row.codeHash)
  if (!row || !isCode || row.clientId !== client.clientId) throw new Problem('invalid_grant')
  if (row.state === 'redeemed') throw await usedTwice(call, row)
  if (row.state !== 'granted' || row.expiresAt <= deps.clock.now()) throw new Problem('invalid_grant')
  return row
}

/** RFC 6749, section 4.1.2: somebody has the code who should not, and nobody knows which of the two it is. */
async function usedTwice({ deps, tenant }: TokenCall, { id }: AuthorizationRow): Promise<Problem> {
  await deps.db.tx((tx) => revokeGrant(tx, tenant.id, id))
  return new Problem('invalid_grant', { message: 'The code was used before; what it gave is revoked' })
}

const verifier = /^[A-Za-z0-9._~-]{43,128}$/

/** That it is the same wallet: its redirect URI, its PKCE verifier, its keys. */
function checkBinding({ request, client, dpopJkt }: TokenCall, authorization: AuthorizationRow): void {
  if (request.redirect_uri !== authorization.redirectUri) {
    throw new Problem('invalid_grant', { message: 'The redirect_uri is another than that of the authorization' })
  }
  if (request.code_verifier === undefined) throw new Problem('invalid_request', { message: 'code_verifier is missing' })
  // RFC 7636, section 4.6.
  const challenge = hash('sha256', request.code_verifier, 'base64url')
  if (!verifier.test(request.code_verifier) || !equalInConstantTime(challenge, authorization.codeChallenge)) {
    throw new Problem('invalid_grant', { message: 'The code_verifier is wrong' })
  }
  // RFC 9449, section 10.
  if (authorization.dpopJkt !== null && dpopJkt === null) {
    throw new Problem('invalid_dpop_proof', { message: 'The code is bound to a key: a DPoP proof is needed' })
  }
  if (authorization.dpopJkt !== null && dpopJkt !== authorization.dpopJkt) {
    throw new Problem('invalid_grant', { message: 'The code is bound to another key' })
  }
  if (authorization.instanceJkt !== null && client.instanceJkt !== authorization.instanceJkt) {
    throw new Problem('invalid_grant', { message: 'The code was given to another instance of the client' })
  }
}
