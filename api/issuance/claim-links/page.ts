import type { RenderedPage } from '../../../shared/pages/page.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Headers } from '../../http/route.ts'
import { pollMs, renderOffer } from '../offer-page/page.ts'
import { pageTexts } from '../pages/languages.ts'
import { renderLocalTime } from '../pages/local-time.ts'
import { claimLinkOutcomes, stepOf } from './outcomes.ts'
import type { ShownClaimLink } from './shown.ts'

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
  const said = pageTexts(headers)
  const { expiresAt, configurationIds, signIn } = link
  return renderOffer(deps, tenant, headers, {
    ...{ configurationIds, state, offer, pollMs },
    outcomes: claimLinkOutcomes(said, {
      end: renderLocalTime(expiresAt, said.language),
      needsSignIn: signIn !== null,
    }),
    step: stepOf(said, 2),
    data: offer ? { offer: offer.id } : {},
  })
}
