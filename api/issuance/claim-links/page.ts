import { type Html, html } from '../../../shared/pages/html.ts'
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
  const { expiresAt, configurationIds } = link
  const end = expiresAt.toLocaleString(language, { timeZone: 'UTC', dateStyle: 'long', timeStyle: 'short' })
  const ofLink = claimLinkTexts(language)
  const { contact } = tenant.settings.branding
  return renderOffer(deps, tenant, headers, {
    ...{ configurationIds, state, offer, pollMs },
    outcomes: claimLinkOutcomes(ofLink, texts, `${end} UTC`),
    footer: contact === undefined ? undefined : renderContact(ofLink.contact, contact),
    data: offer ? { offer: offer.id } : {},
  })
}

/** Renders a link to a page or an email address, without its scheme. */
function renderContact(label: string, contact: string): Html {
  const shown = contact.replace(/^(https:\/\/|mailto:)/i, '')
  return html`<p class="help">${label} <a href="${contact}" rel="noreferrer">${shown}</a></p>
`
}
