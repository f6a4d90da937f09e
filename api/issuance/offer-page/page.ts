import { type Html, html } from '../../../shared/pages/html.ts'
import { type RenderedPage, renderPage } from '../../../shared/pages/page.ts'
import { fillText } from '../../../shared/texts/fill-text.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Headers } from '../../http/route.ts'
import type { DisplayedOffer } from '../offers/shown.ts'
import { issuerNameOf, pageBrandingOf } from '../pages/branding.ts'
import { renderContact } from '../pages/contact.ts'
import { pageTexts } from '../pages/languages.ts'
import { tenantTextsOf } from '../pages/tenant-texts.ts'
import { pageScript } from './asset.ts'
import { renderOpenInWallet } from './open-in-wallet.ts'
import { renderCards } from './render-cards.ts'
import { offerStyle } from './style.ts'

/** The poll interval of an open page. An offer without an end can only be withdrawn, so it is polled less often. */
export const pollMs = 3_000
const slowPollMs = 30_000

/**
 * Renders the page of an offer for its recipient. Contains the offer only while it is usable, and never a transaction
 * code.
 */
export function offerPage(deps: Deps, tenant: Tenant, headers: Headers, offer: DisplayedOffer): Promise<RenderedPage> {
  const { outcomes } = pageTexts(headers).texts.offer
  return renderOffer(deps, tenant, headers, {
    configurationIds: offer.configurationIds,
    state: offer.state,
    offer: offer.state === 'offered' ? offer : undefined,
    pollMs: offer.expiresAt ? pollMs : slowPollMs,
    outcomes,
  })
}

/** The outcome of an offer: a heading, and advice for the person. */
export interface Outcome {
  title: string
  advice: string | Html
  /** The position of the person, such as “Step 1 of 2”, above the heading. */
  step?: string
  /** The text of a button that sends a form to the address of the page. */
  button?: string
}

/** The content of the page of an offer. A claim link has several offers, one after the other. */
export interface OfferPageContent {
  configurationIds: string[]
  state: string
  /** A usable offer. */
  offer: DisplayedOffer | undefined
  pollMs: number
  /** The outcome of each state that has one. */
  outcomes: Record<string, Outcome>
  /** The position of the person while the page has an offer, if there are more steps. */
  step?: string
  /** Data attributes for the script. */
  data?: Record<string, string>
  /** Whether it is an example that the console shows in a frame. */
  isPreview?: true
}

export async function renderOffer(
  deps: Deps,
  tenant: Tenant,
  headers: Headers,
  { configurationIds, state, offer, pollMs, outcomes, step, data, isPreview }: OfferPageContent,
): Promise<RenderedPage> {
  const { language, texts } = pageTexts(headers)
  const cards = await renderCards(deps, tenant, headers, { configurationIds })
  const { heading, advice } = tenantTextsOf(tenant, headers)
  const title = fillText(texts.offer.title, language, { count: configurationIds.length })
  const openInWallet = offer && renderOpenInWallet(deps, tenant, offer, { texts: texts.offer, language, step })
  const content = html`<h1>${heading ?? title}</h1>
${
  advice &&
  html`<p>${advice}</p>
`
}${cards.markup}
${openInWallet?.markup}
${renderOutcomes(outcomes, state)}
${renderContact(tenant, headers)}<noscript><a class="refresh screen" href="">${texts.offer.refresh}</a></noscript>`
  return renderPage({
    language,
    title,
    branding: pageBrandingOf(deps, tenant, issuerNameOf(tenant, headers)),
    content,
    style: offerStyle + cards.style + (openInWallet?.style ?? ''),
    script: `/o/assets/${pageScript().name}`,
    data: { state, every: String(pollMs), ...data },
    ...(isPreview && { framedHere: true }),
    ...(Object.values(outcomes).some(({ button }) => button) && { formsHere: true }),
  })
}

/**
 * Renders all possible outcomes, so that the script needs no texts. At most one is visible, and screen readers announce
 * it when it appears.
 */
function renderOutcomes(outcomes: Record<string, Outcome>, state: string): Html {
  const blocks = Object.entries(outcomes).map(
    ([when, { title, advice, step, button }]) =>
      html`<div data-when="${when}"${when === state ? undefined : html` hidden`}>${step === undefined ? undefined : html`<p class="step">${step}</p>`}<h2>${title}</h2>
<p>${advice}</p>${button === undefined ? undefined : form(button)}</div>
`,
  )
  return html`<div role="status">${blocks}</div>`
}

/** Renders a form that is sent to the address of the page. */
function form(button: string): Html {
  return html`<form method="post"><button class="action screen">${button}</button></form>`
}
