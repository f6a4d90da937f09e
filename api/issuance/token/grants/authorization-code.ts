import { hash } from 'node:crypto'
import type { Writer } from '../../../../db/client.ts'
import { assignLink } from '../../../../db/repos/issuance/claim-links/claim-links.ts'
import { revokeOfferSession } from '../../../../db/repos/issuance/offers/offers.ts'
import {
  type AuthorizationRow,
  advanceAuthorization,
  extendAuthorization,
  findAuthorization,
  revokeAuthorization,
} from '../../../../db/repos/issuance/sessions/authorizations.ts'
import { findExchanged, findSession, type SessionRow } from '../../../../db/repos/issuance/sessions/sessions.ts'
import { findSignInOffer, spendSignInOffer } from '../../../../db/repos/issuance/sessions/sign-in-offers.ts'
import { Problem } from '../../../../shared/errors/errors.ts'
import { hashSecret, idOfSecret } from '../../../../shared/ids.ts'
import { equalInConstantTime } from '../../../../shared/secrets/secrets.ts'
import { tracing } from '../../../../shared/tracing/tracing.ts'
import { isOfView } from '../../../access/views.ts'
import { newAccessToken, presentAccessToken, storeAccessToken } from '../access-token.ts'
import { identifiersFor } from '../authorization-details.ts'
import { newRefreshToken, storeRefreshToken } from '../refresh-token.ts'
import { isAuthorizationOfClient } from './authorization-of-client.ts'
import type { Grant, Granted, TokenCall } from './grant.ts'
import { findRepeat, isRace, presentRepeat, type Repeat } from './repeat.ts'

/**
 * Redeems an authorization code, once (RFC 6749, section 4.1.3). A second use revokes the tokens of the first, unless
 * it is a repeat (`findRepeat`) or a race (`isRace`).
 */
export const redeemAuthorizationCode: Grant = async (call) => {
  const { deps, tenant, request, client, dpopJkt } = call
  const { code } = request
  if (code === undefined) throw new Problem('invalid_request', { message: 'code is missing' })
  const authorization = await authorizationOf(call, code)
  if (authorization.state === 'redeemed') return redeemedBefore(call, authorization, code)
  const unbound = whyUnbound(call, authorization)
  if (unbound) throw unbound
  const { id: authorizationId, configurationIds, offerId, userId, traceparent } = authorization
  if (userId === null) throw new Error('a granted code has no user')
  const credentialIdentifiers = identifiersFor(request.authorization_details, authorization)
  // The token of a claim link is like that of its pre-authorized code: it collects once, and cannot be refreshed.
  const ofAuthorization = authorization.claimLinkId === null ? authorizationId : null
  const granted = { offerId, authorizationId: ofAuthorization, configurationIds, credentialIdentifiers }
  const rights = { userId, client, ...granted, dpopJkt, traceparent }
  const issued = newAccessToken(deps, tenant, rights, code)
  const { session } = issued
  const refresh = newRefreshToken(deps, tenant, session, code)
  const isRedeemed = await deps.db
    .tx(async (tx) => {
      const redeemed = { state: 'redeemed' as const }
      const isSpent = await spendOfferOf(tx, authorization, session)
      // Rolls back, so that the offer is not spent without a token.
      if (!(await advanceAuthorization(tx, authorization, redeemed, session.createdAt))) throw new NotMoved()
      if (!isSpent) throw new Problem('invalid_grant', { reason: offerEnded, check: 'code_expiry' })
      await storeAccessToken(tx, issued)
      await assignLinkOf(tx, authorization, session)
      if (refresh) await storeRefreshToken(tx, refresh)
      await extendAuthorization(tx, tenant.id, authorizationId, refresh?.row.expiresAt ?? session.expiresAt)
      return true
    })
    .catch((error: unknown) => {
      if (error instanceof NotMoved) return false
      throw error
    })
  if (!isRedeemed) return redeemedBefore(call, authorization, code)
  const { response, sessionId } = await presentAccessToken(deps, tenant, issued, session.createdAt)
  call.attribute(offerId, { sessionId })
  return { sessionId, response: { ...response, ...(refresh ? { refresh_token: refresh.token } : {}) } }
}

/** The code was redeemed or revoked since it was read. */
class NotMoved extends Error {}

const offerEnded = 'The offer of the claim link was used or replaced, or the link has ended'

/** Spends the offer of a claim link, which is for one person. Returns false if it is not usable. The lock order of hold.ts: offers first. */
async function spendOfferOf(tx: Writer, authorization: AuthorizationRow, session: SessionRow): Promise<boolean> {
  const { tenantId, claimLinkId, offerId, hookClaims } = authorization
  if (claimLinkId === null || offerId === null) return true
  const { id: sessionId, userId } = session
  return spendSignInOffer(tx, tenantId, offerId, { sessionId, userId, hookClaims })
}

/** Gives the claim link to the person who has signed in. */
async function assignLinkOf(tx: Writer, authorization: AuthorizationRow, session: SessionRow): Promise<void> {
  const { tenantId, claimLinkId, offerId } = authorization
  if (claimLinkId === null || offerId === null) return
  const { userId, createdAt } = session
  if (await assignLink(tx, tenantId, { id: claimLinkId, offerId, userId }, createdAt)) return
  throw new Problem('invalid_grant', { reason: offerEnded, check: 'code_expiry' })
}

async function authorizationOf(call: TokenCall, code: string): Promise<AuthorizationRow> {
  const { deps, tenant, attribute } = call
  const ofTenant = await findAuthorization(deps.db.read, tenant.id, idOfSecret(code))
  const row = ofTenant && isOfView(tenant, ofTenant) ? ofTenant : undefined
  attribute(row?.offerId)
  const isCode = row?.codeHash && equalInConstantTime(hashSecret(code), row.codeHash)
  if (!row || !isCode) throw new Problem('invalid_grant', { isWrongSecret: true, check: 'code_expiry' })
  tracing?.join(row.traceparent)
  // A second use is checked together with its client (`repeatOrRevoke`).
  if (row.state === 'redeemed') return row
  if (!isAuthorizationOfClient(call, row))
    throw new Problem('invalid_grant', { reason: 'The code was issued to another client', check: 'code_client' })
  if (row.state !== 'granted' || row.expiresAt <= deps.clock.now())
    throw new Problem('invalid_grant', { reason: 'The code is expired or revoked', check: 'code_expiry' })
  return row
}

async function redeemedBefore(call: TokenCall, authorization: AuthorizationRow, code: string): Promise<Granted> {
  const repeat = await call.deps.db.tx((tx) => repeatOrRevoke(tx, call, authorization, code))
  if (typeof repeat === 'object') return presentRepeat(call, repeat)
  const message =
    repeat === 'raced'
      ? 'The code was used seconds before. The token issued for it stays valid'
      : 'The code was used before. The tokens issued for it are revoked'
  throw new Problem('invalid_grant', { message, check: 'code_unused' })
}

/** Finds the tokens of the first use for a request that may be repeated. Otherwise revokes them. */
async function repeatOrRevoke(
  tx: Writer,
  call: TokenCall,
  authorization: AuthorizationRow,
  code: string,
): Promise<Repeat | 'raced' | 'used'> {
  const tenantId = call.tenant.id
  const { id, offerId, claimLinkId } = authorization
  const session = await sessionOf(tx, authorization, code)
  if (isAuthorizationOfClient(call, authorization) && !whyUnbound(call, authorization)) {
    const repeat = await findRepeat(tx, call, session, code)
    if (repeat) return repeat
    const isBound = session?.dpopJkt !== null || session.instanceJkt !== null
    if (!isBound && (await isRace(tx, call, session))) return 'raced'
  }
  if (claimLinkId !== null && offerId !== null && session) await revokeOfferSession(tx, tenantId, offerId, session.id)
  await revokeAuthorization(tx, tenantId, id)
  return 'used'
}

/** Finds the session for which the code was exchanged. */
async function sessionOf(
  tx: Writer,
  { tenantId, id, offerId, claimLinkId }: AuthorizationRow,
  code: string,
): Promise<SessionRow | undefined> {
  const exchangedHash = hashSecret(code)
  if (claimLinkId === null || offerId === null) return findExchanged(tx, tenantId, id, exchangedHash)
  const { sessionId = null } = (await findSignInOffer(tx, tenantId, offerId)) ?? {}
  const session = sessionId === null ? undefined : await findSession(tx, tenantId, sessionId)
  // Another authorization can have exchanged the offer.
  return session?.exchangedHash === exchangedHash ? session : undefined
}

const verifier = /^[A-Za-z0-9._~-]{43,128}$/

/**
 * Returns the reason why the request does not come from the wallet that got the code: its redirect URI, PKCE verifier
 * or key differs.
 */
function whyUnbound({ request, dpopJkt }: TokenCall, authorization: AuthorizationRow): Problem | undefined {
  if (request.redirect_uri !== authorization.redirectUri) {
    return new Problem('invalid_grant', {
      message: 'The redirect_uri is not the one of the authorization request',
      check: 'redirect_uri',
    })
  }
  if (request.code_verifier === undefined)
    return new Problem('invalid_request', { message: 'code_verifier is missing', check: 'code_verifier' })
  // RFC 7636, section 4.6.
  const challenge = hash('sha256', request.code_verifier, 'base64url')
  if (!verifier.test(request.code_verifier) || !equalInConstantTime(challenge, authorization.codeChallenge)) {
    return new Problem('invalid_grant', { message: 'The code_verifier is wrong', check: 'code_verifier' })
  }
  // RFC 9449, section 10.
  if (authorization.dpopJkt !== null && dpopJkt === null) {
    return new Problem('invalid_dpop_proof', {
      message: 'The code is bound to a key: a DPoP proof is required',
      check: 'dpop_key',
    })
  }
  if (authorization.dpopJkt !== null && dpopJkt !== authorization.dpopJkt) {
    return new Problem('invalid_grant', { message: 'The code is bound to another key', check: 'dpop_key' })
  }
  return undefined
}
