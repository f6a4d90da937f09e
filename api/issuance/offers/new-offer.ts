import type { OfferRow } from '../../../db/repos/issuance/offers/offers.ts'
import { hashSecret, newOrderedId, newSecretOf } from '../../../shared/ids.ts'
import type { SecretTenant } from '../../../shared/secrets/secrets.ts'
import { offerCodeContext } from '../../../shared/secrets/stored-contexts.ts'
import { tracing } from '../../../shared/tracing/tracing.ts'
import type { Deps } from '../../deps.ts'
import { referenceOf } from './reference.ts'

type Deciding = Pick<
  OfferRow,
  'configurationIds' | 'claims' | 'isByReference' | 'viewId' | 'claimLinkId' | 'label' | 'expiresAt' | 'createdAt'
> &
  Partial<Pick<OfferRow, 'needsSignIn'>>

/** The transaction code of an offer, with its description for the holder. */
interface TransactionCode {
  code: string
  description?: string | undefined
}

/** Returns a new usable offer without its user, and its pre-authorized code. The code of an offer that needs a sign-in is sent to no wallet. */
export function newOffer(
  deps: Pick<Deps, 'secrets'>,
  tenant: SecretTenant,
  deciding: Deciding,
  transactionCode: TransactionCode | undefined,
): { offer: Omit<OfferRow, 'userId'>; code: string } {
  const id = newOrderedId(deciding.createdAt)
  const code = newSecretOf(id)
  const { needsSignIn = false } = deciding
  const offer: Omit<OfferRow, 'userId'> = {
    id,
    tenantId: tenant.id,
    ...deciding,
    needsSignIn,
    state: 'usable',
    codeHash: hashSecret(code),
    sealedCode: needsSignIn ? null : deps.secrets.seal(code, offerCodeContext(id)),
    referenceHash: hashSecret(referenceOf(deps, tenant, id)),
    transactionCodeMac: transactionCode ? transactionCodeMac(deps, tenant, id, transactionCode.code) : null,
    transactionCodeDescription: transactionCode?.description ?? null,
    wrongTransactionCodes: 0,
    sessionId: null,
    traceparent: tracing?.traceparent() ?? null,
  }
  return { offer, code }
}

/** A plain hash of six digits can be guessed. A MAC that is bound to the offer cannot. */
function transactionCodeMac(
  { secrets }: Pick<Deps, 'secrets'>,
  tenant: SecretTenant,
  offerId: string,
  code: string,
): string {
  return secrets.ofTenant(tenant).mac('tx_code', `${offerId} ${code}`)
}

export function isTransactionCode(
  { secrets }: Pick<Deps, 'secrets'>,
  tenant: SecretTenant,
  offerId: string,
  code: string,
  mac: string,
): boolean {
  return secrets.ofTenant(tenant).isMac(mac, 'tx_code', `${offerId} ${code}`)
}

/** Decrypts the code of an offer. Call it only for a caller who knows the secret address of the offer. */
export function openCode({ secrets }: Pick<Deps, 'secrets'>, offerId: string, sealed: string): string {
  return secrets.open(sealed, offerCodeContext(offerId))
}
