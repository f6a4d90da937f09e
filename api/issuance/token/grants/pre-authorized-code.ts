import type { Writer } from '../../../../db/client.ts'
import {
  checkTransactionCode,
  findOfferToRedeem,
  type OfferToRedeem,
  revokeOfferSession,
  spendOffer,
  spendOfferByCode,
} from '../../../../db/repos/issuance/offers/offers.ts'
import { findSession, insertSessionOfOffer } from '../../../../db/repos/issuance/sessions/sessions.ts'
import { Problem, type ProblemOptions } from '../../../../shared/errors/errors.ts'
import { hashSecret, idOfSecret } from '../../../../shared/ids.ts'
import { equalInConstantTime } from '../../../../shared/secrets/secrets.ts'
import { tracing } from '../../../../shared/tracing/tracing.ts'
import { isOfView } from '../../../access/views.ts'
import { isTransactionCode } from '../../offers/new-offer.ts'
import { newAccessToken, presentAccessToken, storeAccessToken } from '../access-token.ts'
import { grantAuthorizationDetails } from '../authorization-details.ts'
import type { Grant, Granted, TokenCall } from './grant.ts'
import { findRepeat, isRace, presentRepeat, type Repeat } from './repeat.ts'

/**
 * Redeems a pre-authorized code, once (OpenID4VCI 1.0, section 6). A second use revokes the token of the first, unless
 * it is a repeat (`findRepeat`) or a race (`isRace`).
 */
export const redeemPreAuthorizedCode: Grant = async (call) => {
  const code = call.request['pre-authorized_code']
  if (code === undefined) throw new Problem('invalid_request', { message: 'pre-authorized_code is missing' })
  return (await redeemAtOnce(call, code)) ?? redeemStepByStep(call, code)
}

/**
 * Redeems a code without other parameters, which is the common case, in one database message. Returns undefined if
 * further checks are needed.
 */
async function redeemAtOnce(call: TokenCall, code: string): Promise<Granted | undefined> {
  const { deps, tenant, request, client, dpopJkt } = call
  if (request.tx_code !== undefined || request.authorization_details !== undefined) return undefined
  const offerId = idOfSecret(code)
  const offered = { userId: '', configurationIds: [], traceparent: null }
  const rights = { ...offered, client, offerId, authorizationId: null, credentialIdentifiers: {}, dpopJkt }
  const issued = newAccessToken(deps, tenant, rights, code)
  const { session } = issued
  const spending = { codeHash: hashSecret(code), viewId: session.viewId, sessionId: session.id }
  const [offer] = await deps.db.txAtOnce((tx) =>
    Promise.all([
      spendOfferByCode(tx, tenant.id, offerId, spending, session.createdAt),
      insertSessionOfOffer(tx, session),
    ]),
  )
  if (!offer) return undefined
  tracing?.join(offer.traceparent)
  call.attribute(offerId, { userId: offer.userId, sessionId: session.id })
  return presentAccessToken(deps, tenant, { ...issued, session: { ...session, ...offer } }, session.createdAt)
}

async function redeemStepByStep(call: TokenCall, code: string): Promise<Granted> {
  const { deps, tenant, request, client, dpopJkt } = call
  const offer = await offerOf(call, code)
  const isRightGuess = readTransactionCode(call, offer, request.tx_code)
  const { userId, configurationIds, traceparent } = offer
  const credentialIdentifiers = grantAuthorizationDetails(request.authorization_details, configurationIds)
  const rights = {
    userId,
    client,
    offerId: offer.id,
    authorizationId: null,
    configurationIds,
    credentialIdentifiers,
    dpopJkt,
    traceparent,
  }
  const issued = newAccessToken(deps, tenant, rights, code)
  const at = issued.session.createdAt
  const outcome = await deps.db.tx(async (tx) => {
    const judged =
      isRightGuess === undefined ? 'right' : await checkTransactionCode(tx, tenant.id, offer.id, isRightGuess, at)
    if (judged !== 'right') return judged
    if (!(await spendOffer(tx, tenant.id, offer.id, issued.session.id, at)))
      return repeatOrRevoke(tx, call, offer.id, code)
    await storeAccessToken(tx, issued)
    return 'redeemed'
  })
  if (outcome === 'redeemed') call.attribute(offer.id, { userId, sessionId: issued.session.id })
  if (outcome === 'redeemed') return presentAccessToken(deps, tenant, issued, at)
  if (outcome === 'wrong')
    throw new Problem('invalid_grant', {
      message: 'The tx_code is wrong',
      isWrongGuess: true,
      check: 'transaction_code',
    })
  if (typeof outcome === 'object') return presentRepeat(call, outcome)
  throw new Problem('invalid_grant', whyUnusable(offer, outcome))
}

async function offerOf({ deps, tenant, attribute }: TokenCall, code: string): Promise<OfferToRedeem> {
  const offer = await findOfferToRedeem(deps.db.read, tenant.id, idOfSecret(code))
  if (!offer || !isOfView(tenant, offer) || !equalInConstantTime(hashSecret(code), offer.codeHash)) {
    throw new Problem('invalid_grant', { isWrongSecret: true })
  }
  attribute(offer.id, { userId: offer.userId, sessionId: offer.sessionId })
  tracing?.join(offer.traceparent)
  if (offer.state === 'usable' && offer.expiresAt <= deps.clock.now()) {
    throw new Problem('invalid_grant', { reason: 'The offer is expired', check: 'code_expiry' })
  }
  return offer
}

/**
 * Finds the token of the first use for a request that may be repeated. Otherwise revokes it. The transaction has
 * already tried to spend the offer, so that a concurrent first use is committed.
 */
async function repeatOrRevoke(
  tx: Writer,
  call: TokenCall,
  offerId: string,
  code: string,
): Promise<Repeat | 'raced' | 'used'> {
  const tenantId = call.tenant.id
  const sessionId = (await findOfferToRedeem(tx, tenantId, offerId))?.sessionId ?? null
  if (sessionId === null) return 'used'
  const session = await findSession(tx, tenantId, sessionId)
  const repeat = await findRepeat(tx, call, session, code)
  if (repeat) return repeat
  if (await isRace(tx, call, session)) return 'raced'
  await revokeOfferSession(tx, tenantId, offerId, sessionId)
  return 'used'
}

/** Returns the reason for the operator. The wallet gets the same error for all of them. */
function whyUnusable({ state, sessionId }: OfferToRedeem, outcome: 'raced' | 'used' | 'not checked'): ProblemOptions {
  if (state === 'ended' && sessionId === null)
    return { reason: 'The offer ended with the third wrong tx_code', check: 'transaction_code' }
  if (outcome === 'raced')
    return {
      reason: 'The code was used seconds before. The access token issued for it stays valid',
      check: 'code_unused',
    }
  const reason =
    outcome === 'not checked' && state !== 'ended'
      ? 'The code was used before, and its tx_code was wrong three times afterwards'
      : 'The code was used before. The access token issued for it is revoked'
  return { reason, check: 'code_unused' }
}

/**
 * Returns whether the sent code is the one of the offer. Returns undefined if the offer has none. OpenID4VCI 1.0,
 * section 6.3: a missing or unexpected code is a malformed request and does not count as a guess.
 */
function readTransactionCode(
  { deps, tenant }: TokenCall,
  { id, transactionCodeMac: mac }: OfferToRedeem,
  sent: string | undefined,
): boolean | undefined {
  if (mac === null && sent === undefined) return undefined
  if (mac === null)
    throw new Problem('invalid_request', { message: 'This offer has no tx_code', check: 'transaction_code_sent' })
  if (sent === undefined)
    throw new Problem('invalid_request', { message: 'tx_code is missing', check: 'transaction_code_sent' })
  return isTransactionCode(deps, tenant, id, sent, mac)
}
