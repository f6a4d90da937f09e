import { type Html, html } from '../../../shared/pages/html.ts'
import { type RenderedPage, renderPage } from '../../../shared/pages/page.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Headers } from '../../http/route.ts'
import type { DisplayedOffer } from '../offers/shown.ts'
import { pageBrandingOf } from '../pages/branding.ts'
import { pageScript } from './asset.ts'
import { type Card, cardsOf } from './cards.ts'
import { renderOpenInWallet } from './open-in-wallet.ts'
import { offerStyle } from './style.ts'
import { forReader, offerTexts, type Texts } from './texts.ts'

/** The poll interval of an open page. An offer without an end can only be withdrawn, so it is polled less often. */
const pollMs = 3_000
const slowPollMs = 30_000

/**
 * Renders the page of an offer for its recipient. Contains the offer only while it is usable, and never a transaction
 * code.
 */
export async function offerPage(
  deps: Deps,
  tenant: Tenant,
  headers: Headers,
  offer: DisplayedOffer,
): Promise<RenderedPage> {
  const { language, texts } = offerTexts(headers)
  const cards = await cardsOf(deps, tenant, headers, offer.configurationIds)
  const title = offer.configurationIds.length === 1 ? texts.one : texts.several
  const { branding } = tenant.settings
  const names: { name: string; locale?: string }[] = [{ name: tenant.name }, ...(branding.names ?? [])]
  const { name } = forReader(names, headers) ?? tenant
  const { expiresAt, state } = offer
  const openInWallet = state === 'offered' ? renderOpenInWallet(deps, tenant, offer, { texts, language }) : undefined
  const content = html`<h1>${title}</h1>
${cards.length > 0 ? cardList(offer, cards, texts) : undefined}
${openInWallet?.markup}
${outcomes(texts, state)}
<noscript><a class="refresh screen" href="">${texts.refresh}</a></noscript>`
  return renderPage({
    language,
    title,
    branding: pageBrandingOf(deps, tenant, name),
    content,
    style: offerStyle + cards.map(cardStyle).join('') + (openInWallet?.style ?? ''),
    script: `/o/assets/${pageScript().name}`,
    data: { state, every: String(expiresAt ? pollMs : slowPollMs) },
  })
}

function cardList({ configurationIds }: DisplayedOffer, cards: Card[], { more }: Texts): Html {
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
function outcomes({ outcomes }: Texts, state: DisplayedOffer['state']): Html {
  const blocks = Object.entries(outcomes).map(
    ([when, { title, advice }]) =>
      html`<div data-when="${when}"${when === state ? undefined : html` hidden`}><h2>${title}</h2>
<p>${advice}</p></div>
`,
  )
  return html`<div role="status">${blocks}</div>`
}
