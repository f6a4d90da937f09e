import { isRemovedBulk } from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import { type ClaimLinkWithView, findClaimLink } from '../../../db/repos/issuance/claim-links/claim-links.ts'
import { claimLinkStateOf } from '../../../db/repos/issuance/claim-links/listed-claim-links.ts'
import { maxWrongCodesOfLink } from '../../../db/tables/issuance/claim-links.ts'
import { isClaimLinkReference } from '../../../shared/domain/issuance/claim-links.ts'
import { idOfReference } from '../../../shared/domain/issuance/short-references.ts'
import { Problem } from '../../../shared/errors/errors.ts'
import type { Tenant } from '../../access/subjects.ts'
import { publishes } from '../../access/views.ts'
import type { Deps } from '../../deps.ts'
import { findRecentConfiguration } from '../configurations/recent.ts'
import { type DisplayedOffer, findShownById } from '../offers/shown.ts'

/**
 * `ready`: a person can make an offer. `offered`: the offer is usable. `opened`: a wallet has exchanged its code. `usedUp`: too many
 * wrong transaction codes.
 */
export const claimLinkPageStates = ['ready', 'offered', 'opened', 'collected', 'expired', 'usedUp', 'revoked'] as const

/** A claim link as its page shows it. */
export interface ShownClaimLink {
  link: ClaimLinkWithView
  state: (typeof claimLinkPageStates)[number]
  /** The newest offer, if it is usable. */
  offer: DisplayedOffer | undefined
}

/** Finds the link of a reference. Throws `not_found` for a wrong secret, as for an unknown link. */
export async function getClaimLink(deps: Deps, tenant: Tenant, reference: string): Promise<ClaimLinkWithView> {
  const link = await findClaimLink(deps.db.read, tenant.id, idOfReference(reference))
  // Each wrong secret counts for the address, which is refused after too many.
  if (!link || !isClaimLinkReference(deps.secrets.ofTenant(tenant), link, reference))
    throw new Problem('not_found', { isWrongSecret: true })
  if (await isRemovedBulk(deps.db.read, tenant.id, link.bulkId)) throw new Problem('not_found')
  return link
}

/** Finds the link of a reference with the state of its newest offer. Changes nothing. */
export async function getShownClaimLink(deps: Deps, tenant: Tenant, reference: string): Promise<ShownClaimLink> {
  const link = await getClaimLink(deps, tenant, reference)
  const state = claimLinkStateOf(link, deps.clock.now())
  if (state === 'revoked' && link.wrongCodes >= maxWrongCodesOfLink) return { link, state: 'usedUp', offer: undefined }
  if (state !== 'open' && state !== 'opened') return { link, state, offer: undefined }
  // The caller knows the secret of the link, which gives access to its offers.
  const offer = link.offerId === null ? undefined : await findShownById(deps, tenant, link.offerId)
  if (offer?.state === 'offered') return { link, state: 'offered', offer }
  if (offer?.state === 'opened' || offer?.state === 'collected') return { link, state: offer.state, offer: undefined }
  return { link, state: (await isOfferable(deps, tenant, link)) ? 'ready' : 'revoked', offer: undefined }
}

/** Returns whether the configurations of the link exist, and its view publishes them. */
async function isOfferable(
  deps: Deps,
  { throughViews }: Tenant,
  { tenantId, configurationIds, viewId }: ClaimLinkWithView,
): Promise<boolean> {
  const configurations = await Promise.all(configurationIds.map((id) => findRecentConfiguration(deps, tenantId, id)))
  const view = throughViews.find((each) => each.view?.id === viewId)?.view
  if (viewId !== null && !view) return false
  return configurations.every((configuration) => configuration && publishes(view, configuration))
}
