import {
  findShownOffer,
  findShownSharedOffer,
  type ShownOffer,
  type ShownSharedOffer,
} from '../../../db/repos/issuance/offer-pages.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { openCode } from './create-pre-authorized.ts'
import { type CredentialOffer, type HandedOver, preAuthorizedOffer, sharedOffer } from './offer-object.ts'
import { isOpenedBy, referenceOf } from './reference.ts'

/** `opened`: a wallet has exchanged its code; `usedUp`: it ended before one could. A shared offer is `offered` as long as it is there. */
export const shownStates = ['offered', 'opened', 'collected', 'expired', 'usedUp'] as const

/** An offer as people and wallets see it. */
export interface OfferOnPage {
  id: string
  configurationIds: string[]
  isByReference: boolean
  state: (typeof shownStates)[number]
  /** Undefined for one that does not end, which is for anybody who signs in. */
  expiresAt: Date | undefined
  /** Whether the wallet is to ask for one. */
  transactionCode: { description?: string } | undefined
  /** What a wallet reads. For offers that are `offered`. */
  content(): CredentialOffer
}

/** The offer that an address was given to. */
export async function findShownByReference(
  deps: Deps,
  tenant: Tenant,
  reference: string,
): Promise<OfferOnPage | undefined> {
  const [id = ''] = reference.split('.', 1)
  return findShown(deps, tenant, id, (row) => isOpenedBy(deps, row, reference))
}

/** For operators alone, who may see each of their tenant's. */
export function findShownById(deps: Deps, tenant: Tenant, id: string): Promise<OfferOnPage | undefined> {
  return findShown(deps, tenant, id, () => true)
}

async function findShown(
  deps: Deps,
  tenant: Tenant,
  id: string,
  isFor: (row: ShownOffer | ShownSharedOffer) => boolean,
): Promise<OfferOnPage | undefined> {
  const offer = await findShownOffer(deps.db.read, tenant.id, id)
  if (offer) return isFor(offer) ? ofOne(deps, tenant, offer) : undefined
  const shared = await findShownSharedOffer(deps.db.read, tenant.id, id)
  return shared && isFor(shared) ? ofAnybody(tenant, shared) : undefined
}

/** Undefined for one of a version that did not keep codes: its URI alone can say it. */
function ofOne(deps: Deps, { baseUrl }: Tenant, row: ShownOffer): OfferOnPage | undefined {
  const { id, configurationIds, isByReference, sealedCode, transactionCodeMac, expiresAt } = row
  if (sealedCode === null) return undefined
  const description = row.transactionCodeDescription === null ? {} : { description: row.transactionCodeDescription }
  const transactionCode = transactionCodeMac === null ? undefined : description
  return {
    ...{ id, configurationIds, isByReference, expiresAt, transactionCode },
    state: stateOf(row, deps.clock.now()),
    content: () => preAuthorizedOffer(baseUrl, configurationIds, openCode(deps, id, sealedCode), transactionCode),
  }
}

function ofAnybody({ baseUrl }: Tenant, { id, configurationIds, isByReference }: ShownSharedOffer): OfferOnPage {
  return {
    ...{ id, configurationIds, isByReference, expiresAt: undefined, transactionCode: undefined },
    state: 'offered',
    content: () => sharedOffer(baseUrl, configurationIds, id),
  }
}

/** What its URI is made of. */
export function handedOver(deps: Deps, { baseUrl }: Tenant, { id, isByReference, content }: OfferOnPage): HandedOver {
  return { issuer: baseUrl, content: content(), reference: referenceOf(deps, id), isByReference }
}

function stateOf({ state, expiresAt }: ShownOffer, at: Date): OfferOnPage['state'] {
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
