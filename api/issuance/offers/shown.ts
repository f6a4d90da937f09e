import {
  findShownOffer,
  findShownSharedOffer,
  type ShownOffer,
  type ShownSharedOffer,
} from '../../../db/repos/issuance/offers/offer-pages.ts'
import { idOfReference } from '../../../shared/domain/issuance/short-references.ts'
import type { Tenant } from '../../access/subjects.ts'
import { issuerOfRow } from '../../access/views.ts'
import type { Deps } from '../../deps.ts'
import { findRecentServers, offeredIssuer } from '../authorization-servers/offered-server.ts'
import { issuerStateOf } from './issuer-state.ts'
import { openCode } from './new-offer.ts'
import { authorizationOffer, type CredentialOffer, type OfferUriInput, preAuthorizedOffer } from './offer-object.ts'
import { isOpenedBy, referenceOf } from './reference.ts'

/**
 * `opened`: a wallet has exchanged its code. `usedUp`: it ended before a wallet exchanged its code. A shared offer is
 * `offered` until it is deleted.
 */
export const shownStates = ['offered', 'opened', 'collected', 'expired', 'usedUp'] as const

/** An offer as its page and wallets show it. */
export interface DisplayedOffer {
  id: string
  configurationIds: string[]
  isByReference: boolean
  /** The view that the offer is for. */
  viewId: string | null
  state: (typeof shownStates)[number]
  /** Undefined for a shared offer, which does not expire. */
  expiresAt: Date | undefined
  /** The trace of the request that created it. Null for a shared offer, whose authorizations have a trace each. */
  traceparent: string | null
  /** Set if the wallet must ask for a code. */
  transactionCode: { description?: string } | undefined
  /** Returns the credential offer for wallets. Call it only in the state `offered`. */
  content(): CredentialOffer
}

/** Finds the offer that belongs to a reference. */
export async function findShownByReference(
  deps: Deps,
  tenant: Tenant,
  reference: string,
): Promise<DisplayedOffer | undefined> {
  return findShown(deps, tenant, idOfReference(reference), (row) => isOpenedBy(deps, tenant, row, reference))
}

/** Finds an offer by its id, without its secret. Only for operators, who may see all offers of their tenant. */
export function findShownById(deps: Deps, tenant: Tenant, id: string): Promise<DisplayedOffer | undefined> {
  return findShown(deps, tenant, id, () => true)
}

async function findShown(
  deps: Deps,
  tenant: Tenant,
  id: string,
  isFor: (row: ShownOffer | ShownSharedOffer) => boolean,
): Promise<DisplayedOffer | undefined> {
  const offer = await findShownOffer(deps.db.read, tenant.id, id)
  // Pre-authorized codes, and the offers of claim links, are of this service.
  const serverFor = async (row: { viewId: string | null }, serverId: string | null = null) =>
    offeredIssuer({ issuer: issuerOfRow(tenant, row) }, await findRecentServers(deps, tenant.id), serverId)
  if (offer) return isFor(offer) ? fromOffer(deps, tenant, offer, await serverFor(offer)) : undefined
  const shared = await findShownSharedOffer(deps.db.read, tenant.id, id)
  if (!shared || !isFor(shared)) return undefined
  return fromSharedOffer(tenant, shared, await serverFor(shared, shared.authorizationServerId))
}

/** Returns undefined for an offer of an old version that did not store codes: only its URI contains the code. */
function fromOffer(
  deps: Deps,
  tenant: Tenant,
  row: ShownOffer,
  server: string | undefined,
): DisplayedOffer | undefined {
  const issuer = issuerOfRow(tenant, row)
  const { id, configurationIds, isByReference, viewId, sealedCode, transactionCodeMac, expiresAt, traceparent } = row
  const state = stateOf(row, deps.clock.now())
  const common = { id, configurationIds, isByReference, viewId, expiresAt, traceparent, state }
  if (row.needsSignIn) {
    const content = () => authorizationOffer(issuer, configurationIds, issuerStateOf(deps, tenant, id), server)
    return { ...common, transactionCode: undefined, content }
  }
  if (sealedCode === null) return undefined
  const description = row.transactionCodeDescription === null ? {} : { description: row.transactionCodeDescription }
  const transactionCode = transactionCodeMac === null ? undefined : description
  return {
    ...{ ...common, transactionCode },
    content: () =>
      preAuthorizedOffer(issuer, configurationIds, openCode(deps, id, sealedCode), transactionCode, server),
  }
}

function fromSharedOffer(tenant: Tenant, row: ShownSharedOffer, server: string | undefined): DisplayedOffer {
  const { id, configurationIds, isByReference, viewId } = row
  return {
    ...{
      id,
      configurationIds,
      isByReference,
      viewId,
      expiresAt: undefined,
      transactionCode: undefined,
      traceparent: null,
    },
    state: 'offered',
    content: () => authorizationOffer(issuerOfRow(tenant, row), configurationIds, id, server),
  }
}

/** Returns the input of the offer's URI. */
export function offerUriInput(deps: Deps, tenant: Tenant, offer: DisplayedOffer): OfferUriInput {
  const { id, isByReference, content } = offer
  const address = { ...offerAddressOf(tenant), issuer: issuerOfRow(tenant, offer) }
  return { ...address, content: content(), reference: referenceOf(deps, tenant, id), isByReference }
}

/** Returns what all offer URIs of a tenant have in common. */
export function offerAddressOf({ issuer, settings }: Tenant): Pick<OfferUriInput, 'issuer' | 'offerUrl'> {
  return { issuer, offerUrl: settings.branding.offerUrl }
}

function stateOf({ state, expiresAt }: ShownOffer, at: Date): DisplayedOffer['state'] {
  switch (state) {
    case 'spent':
      return 'opened'
    case 'claimed':
      return 'collected'
    case 'ended':
      return 'usedUp'
    default:
      return expiresAt <= at ? 'expired' : 'offered'
  }
}
