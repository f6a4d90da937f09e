import type { z } from 'zod'
import type { ListedOffer } from '../../../db/repos/issuance/offers/listed-offers.ts'
import type { OfferFailure } from '../../../db/repos/issuance/offers/offer-failures.ts'
import { isOfferReader } from '../../access/shown-to.ts'
import type { Caller, Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { maxQrTextLength, offerUri } from './offer-object.ts'
import { pageAddressOf, referenceOf } from './reference.ts'
import type { OfferDetailsView, OfferView } from './schemas.ts'
import { type DisplayedOffer, offerUriInput } from './shown.ts'

/** Presents an offer. Only callers that read offers get its page, whose address is secret. */
export function presentOffer(
  deps: Deps,
  tenant: Tenant,
  caller: Caller,
  offer: ListedOffer,
): z.infer<typeof OfferView> {
  const { id, kind, state, configurationIds, userId, viewId, label, createdAt, expiresAt, failure } = offer
  return {
    id,
    kind,
    state,
    credentials: configurationIds,
    ...(userId !== null && { userId }),
    ...(viewId !== null && { view: viewId }),
    ...(label !== null && { label }),
    createdAt: createdAt.toISOString(),
    ...(expiresAt !== null && { expiresAt: expiresAt.getTime() }),
    ...(failure && { failure: presentFailure(failure) }),
    ...(isOfferReader(caller) && { page: pageAddressOf(tenant, referenceOf(deps, tenant, id)) }),
  }
}

function presentFailure({ failedAt, check, reason, requestId }: OfferFailure) {
  return { at: failedAt.toISOString(), check, reason, requestId }
}

/**
 * Presents an offer, with its URI and QR text while it is usable, if the caller reads offers. `displayed` is undefined for offers of
 * old versions that did not store codes.
 */
export function presentOfferDetails(
  deps: Deps,
  tenant: Tenant,
  caller: Caller,
  offer: ListedOffer,
  displayed: DisplayedOffer | undefined,
): z.infer<typeof OfferDetailsView> {
  const view = presentOffer(deps, tenant, caller, offer)
  const { transactionCode } = displayed ?? {}
  const details = { ...view, ...(transactionCode && { transactionCode }) }
  if (displayed?.state !== 'offered' || !isOfferReader(caller)) return details
  const input = offerUriInput(deps, tenant, displayed)
  return { ...details, uri: offerUri(input), qr: offerUri(input, maxQrTextLength) }
}
