import { type Html, html } from '../../../shared/pages/html.ts'
import { type RenderedPage, renderPage } from '../../../shared/pages/page.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Headers } from '../../http/route.ts'
import type { DisplayedOffer } from '../offers/shown.ts'
import { pageBrandingOf } from '../pages/branding.ts'
import { renderContact } from '../pages/contact.ts'
import { pageScript } from './asset.ts'
import { type Card, cardsOf } from './cards.ts'
import { renderOpenInWallet } from './open-in-wallet.ts'
import { offerStyle } from './style.ts'
import { forReader, type Outcome, offerTexts, type Texts } from './texts.ts'

/** The poll interval of an open page. An offer without an end can only be withdrawn, so it is polled less often. */
export const pollMs = 3_000
const slowPollMs = 30_000

/**
 * Renders the page of an offer for its recipient. Contains the offer only while it is usable, and never a transaction
 * code.
 */
export function offerPage(deps: Deps, tenant: Tenant, headers: Headers, offer: DisplayedOffer): Promise<RenderedPage> {
  const { outcomes } = offerTexts(headers).texts
  return renderOffer(deps, tenant, headers, {
    configurationIds: offer.configurationIds,
    state: offer.state,
    offer: offer.state === 'offered' ? offer : undefined,
    pollMs: offer.expiresAt ? pollMs : slowPollMs,
    outcomes,
  })
}

/** What the page of an offer shows. A claim link has several offers, one after the other. */
export interface OfferPageContent {
  configurationIds: string[]
  state: string
  /** A usable offer. */
  offer: DisplayedOffer | undefined
  pollMs: number
  /** The outcome of each state that has one. */
  outcomes: Record<string, Outcome>
  /** Data attributes for the script. */
  data?: Record<string, string>
  /** Whether it is an example that the console shows in a frame. */
  isPreview?: true
}

export async function renderOffer(
  deps: Deps,
  tenant: Tenant,
  headers: Headers,
  { configurationIds, state, offer, pollMs, outcomes, data, isPreview }: OfferPageContent,
): Promise<RenderedPage> {
  const { language, texts } = offerTexts(headers)
  const cards = await cardsOf(deps, tenant, headers, configurationIds)
  const title = configurationIds.length === 1 ? texts.one : texts.several
  const { branding } = tenant.settings
  const names: { name: string; locale?: string }[] = [{ name: tenant.name }, ...(branding.names ?? [])]
  const { name } = forReader(names, headers) ?? tenant
  const openInWallet = offer && renderOpenInWallet(deps, tenant, offer, { texts, language })
  const content = html`<h1>${title}</h1>
${cards.length > 0 ? cardList(configurationIds, cards, texts) : undefined}
${openInWallet?.markup}
${renderOutcomes(outcomes, state)}
${renderContact(tenant, headers)}<noscript><a class="refresh screen" href="">${texts.refresh}</a></noscript>`
  return renderPage({
    language,
    title,
    branding: pageBrandingOf(deps, tenant, name),
    content,
    style: offerStyle + cards.map(cardStyle).join('') + (openInWallet?.style ?? ''),
    script: `/o/assets/${pageScript().name}`,
    data: { state, every: String(pollMs), ...data },
    ...(isPreview && { framedHere: true }),
    ...(Object.values(outcomes).some(({ button }) => button) && { formsHere: true }),
  })
}

function cardList(configurationIds: string[], cards: Card[], { more }: Texts): Html {
  const others = configurationIds.length - cards.length
  return html`<ul class="cards">${cards.map(cardItem)}</ul>
${others > 0 ? html`<p>${more} ${others}</p>` : undefined}`
}

function cardItem({ name, locale, description, logo }: Card, at: number): Html {
  const note = description === undefined ? undefined : html`<small>${description}</small>`
  const picture = logo === undefined ? undefined : html`<img src="${logo}" alt="" width="40" height="40">`
  return html`<li class="card card-${at}"${locale === undefined ? undefined : html` lang="${locale}"`}>${picture}<div>${name}${note}</div></li>`
}

/** Renders the checked colors of a card. No other value of the configuration reaches the style. */
function cardStyle({ colors }: Card, at: number): string {
  return colors ? `.card-${at}{background:${colors.background};color:${colors.text}}\n` : ''
}

/**
 * Renders all possible outcomes, so that the script needs no texts. At most one is visible, and screen readers announce
 * it when it appears.
 */
function renderOutcomes(outcomes: Record<string, Outcome>, state: string): Html {
  const blocks = Object.entries(outcomes).map(
    ([when, { title, advice, button }]) =>
      html`<div data-when="${when}"${when === state ? undefined : html` hidden`}><h2>${title}</h2>
<p>${advice}</p>${button === undefined ? undefined : form(button)}</div>
`,
  )
  return html`<div role="status">${blocks}</div>`
}

/** Renders a form that is sent to the address of the page. */
function form(button: string): Html {
  return html`<form method="post"><button class="action screen">${button}</button></form>`
}
