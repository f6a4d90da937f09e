import {
  findOfferToRedeem,
  judgeTransactionCode,
  type OfferToRedeem,
  reopenOffer,
  spendOffer,
} from '../../../db/repos/offers.ts'
import { plusMs } from '../../../shared/clock.ts'
import { Problem } from '../../../shared/errors.ts'
import { hashSecret, idOfSecret } from '../../../shared/ids.ts'
import { equalInConstantTime } from '../../../shared/secrets.ts'
import type { Deps } from '../../deps.ts'
import { transactionCodeMac } from '../../offers/create-pre-authorized.ts'
import { newAccessToken, presentAccessToken, storeAccessToken } from '../access-token.ts'
import { grantAuthorizationDetails } from '../authorization-details.ts'
import type { Grant } from './grant.ts'

/** Older than this, a token whose answer is not known to have been sent was lost with the process that made it. */
const lostAfterMs = 2_000

/** Redeems a pre-authorized code, once (OpenID4VCI 1.0, section 6). */
export const redeemPreAuthorizedCode: Grant = async ({ deps, tenant, request, client, dpopJkt, about }) => {
  const code = request['pre-authorized_code']
  if (code === undefined) throw new Problem('invalid_request', { message: 'pre-authorized_code is missing' })
  const offer = await findOfferToRedeem(deps.db.read, tenant.id, idOfSecret(code))
  if (!offer || !equalInConstantTime(hashSecret(code), offer.codeHash)) throw new Problem('invalid_grant')
  about(offer.id)
  const at = deps.clock.now()
  if (offer.expiresAt <= at) throw new Problem('invalid_grant', { reason: 'The offer is expired' })
  const isRightGuess = readTransactionCode(deps, offer, request.tx_code)
  const issued = newAccessToken(deps, tenant, {
    userId: offer.userId,
    clientId: client.clientId,
    offerId: offer.id,
    grantId: null,
    configurationIds: offer.configurationIds,
    dpopJkt,
    ...grantAuthorizationDetails(request.authorization_details, offer.configurationIds),
  })
  const outcome = await deps.db.tx(async (tx) => {
    if (offer.state === 'spent') await reopenOffer(tx, tenant.id, offer.id, plusMs(at, -lostAfterMs))
    const judged =
      isRightGuess === undefined ? 'right' : await judgeTransactionCode(tx, tenant.id, offer.id, isRightGuess)
    if (judged !== 'right') return judged
    if (!(await spendOffer(tx, tenant.id, offer.id, issued.session.id, at))) return 'not judged'
    await storeAccessToken(tx, issued)
    return 'right'
  })
  if (outcome === 'wrong') throw new Problem('invalid_grant', { message: 'The tx_code is wrong' })
  if (outcome === 'not judged') throw new Problem('invalid_grant', { reason: whyUnusable(offer) })
  return presentAccessToken(deps, tenant, issued)
}

/** For the operator: the wallet is not told which. */
function whyUnusable({ state }: OfferToRedeem): string {
  if (state === 'ended') return 'The offer ended with the third wrong tx_code'
  return 'The code was used before'
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
