import type { Writer } from '../../../db/client.ts'
import { holdShared } from '../../../db/hold.ts'
import { type ClaimLinkWithView, openLink } from '../../../db/repos/issuance/claim-links/claim-links.ts'
import { claimLinkStateOf } from '../../../db/repos/issuance/claim-links/listed-claim-links.ts'
import { type ConfigurationRow, holdConfiguration } from '../../../db/repos/issuance/configurations.ts'
import { endOffer, insertOffer } from '../../../db/repos/issuance/offers/offers.ts'
import { statesOfNew } from '../../../db/repos/issuance/users/user-states.ts'
import { type UserTerms, withUserTerms } from '../../../db/repos/issuance/users/user-terms.ts'
import { insertUser, persistClaims } from '../../../db/repos/issuance/users/users.ts'
import { maxOfferMs } from '../../../db/tables/issuance/offers.ts'
import { views } from '../../../db/tables/issuance/views.ts'
import { plusMs } from '../../../shared/clock.ts'
import { openClaimLink } from '../../../shared/domain/issuance/claim-links.ts'
import type { Tenant } from '../../access/subjects.ts'
import { publishes } from '../../access/views.ts'
import type { Deps } from '../../deps.ts'
import { newOffer } from '../offers/new-offer.ts'
import { getClaimLink } from './shown.ts'

/** The offer that an opening made. */
interface Opened {
  offerId: string
  /** Null if the person has to sign in first. */
  userId: string | null
  viewId: string | null
}

/** The link cannot be opened: it has ended, or another opening was faster. */
class NotOpened extends Error {}

/**
 * Makes a fresh offer of the link and ends the offer before it. Returns undefined if the link has ended or another person has opened it
 * at the same time. The page then shows what happened.
 */
export async function openClaimLinkOf(deps: Deps, tenant: Tenant, reference: string): Promise<Opened | undefined> {
  const link = await getClaimLink(deps, tenant, reference)
  const at = deps.clock.now()
  const state = claimLinkStateOf(link, at)
  if (link.sealedContent === null || (state !== 'open' && state !== 'opened')) return undefined
  const { claims, transactionCode } = openClaimLink(deps.secrets, link.id, link.sealedContent)
  const expiresAt = new Date(Math.min(plusMs(at, maxOfferMs).getTime(), link.expiresAt.getTime()))
  const { configurationIds, viewId } = link
  const { offer } = newOffer(
    deps,
    tenant,
    {
      ...{ configurationIds, claims, isByReference: false, viewId },
      ...{ claimLinkId: link.id, needsSignIn: link.signIn !== null, label: link.label, expiresAt, createdAt: at },
    },
    transactionCode === undefined
      ? undefined
      : { code: transactionCode, description: link.transactionCode?.description },
  )
  try {
    return await withUserTerms(statesOfNew({ claims: {} }), (terms) =>
      deps.db.tx(async (tx) => {
        const userId = await prepareOpening(tx, link, at, terms)
        await insertOffer(tx, { ...offer, userId: userId ?? '' })
        const opened = { offerId: offer.id, userId }
        if (!(await openLink(tx, link, { ...opened, at }))) throw new NotOpened()
        return { ...opened, viewId }
      }),
    )
  } catch (error) {
    if (error instanceof NotOpened) return undefined
    throw error
  }
}

/** Locks what the offer needs, in the order of hold.ts, and ends the offer before it. Returns the user of the offer, if there is one yet. */
async function prepareOpening(tx: Writer, link: ClaimLinkWithView, at: Date, terms: UserTerms): Promise<string | null> {
  const { tenantId, offerId } = link
  await holdOffered(tx, link)
  const userId = link.userId ?? (link.signIn ? null : await newUser(tx, tenantId, at, terms))
  // An erased user has no links.
  if (link.userId !== null && !(await persistClaims(tx, tenantId, link.userId, {}, terms))) throw new NotOpened()
  if (offerId !== null && (await endOffer(tx, tenantId, offerId)) === 'claimed') throw new NotOpened()
  return userId
}

/** Locks the configurations and the view of the offer. */
async function holdOffered(tx: Writer, { tenantId, configurationIds, viewId }: ClaimLinkWithView): Promise<void> {
  const configurations: ConfigurationRow[] = []
  for (const id of configurationIds.toSorted()) {
    const configuration = await holdConfiguration(tx, tenantId, id)
    if (!configuration) throw new NotOpened()
    configurations.push(configuration)
  }
  if (viewId === null) return
  const view = await holdShared(tx, views, tenantId, viewId)
  if (!view || !configurations.every((each) => publishes(view, each))) throw new NotOpened()
}

async function newUser(tx: Writer, tenantId: string, at: Date, terms: UserTerms): Promise<string> {
  const user = await insertUser(tx, tenantId, { claims: {} }, at, terms)
  if (!user) throw new Error('a user without a provider cannot conflict with another user')
  return user.id
}
