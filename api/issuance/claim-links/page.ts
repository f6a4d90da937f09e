import type { RenderedPage } from '../../../shared/pages/page.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Headers } from '../../http/route.ts'
import { pollMs, renderOffer } from '../offer-page/page.ts'
import { offerTexts } from '../offer-page/texts.ts'
import type { ShownClaimLink } from './shown.ts'
import { claimLinkOutcomes, claimLinkTexts } from './texts.ts'

/**
 * Renders the page of a claim link. It contains an offer only after a person has made one with its button. A GET makes no offer, so that
 * link previews and mail scanners use nothing up.
 */
export function claimLinkPage(
  deps: Deps,
  tenant: Tenant,
  headers: Headers,
  { link, state, offer }: ShownClaimLink,
): Promise<RenderedPage> {
  const { language, texts } = offerTexts(headers)
  const { expiresAt, configurationIds, signIn } = link
  const end = expiresAt.toLocaleString(language, { timeZone: 'UTC', dateStyle: 'long', timeStyle: 'short' })
  const ofLink = claimLinkTexts(language)
  return renderOffer(deps, tenant, headers, {
    ...{ configurationIds, state, offer, pollMs },
    outcomes: claimLinkOutcomes(ofLink, texts, { end: `${end} UTC`, needsSignIn: signIn !== null }),
    data: offer ? { offer: offer.id } : {},
  })
}
