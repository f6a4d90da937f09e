import { type Html, html } from '../../../shared/pages/html.ts'
import { fillText } from '../../../shared/texts/fill-text.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Headers } from '../../http/route.ts'
import { pageTexts } from '../pages/languages.ts'
import { type Card, cardsOf } from './cards.ts'

interface RenderedCards {
  /** Undefined if no configuration has a name. */
  markup: Html | undefined
  /** The CSS rules of the colors. */
  style: string
}

/** The maximum number of cards of an offer. It can name a hundred configurations, which is too many for a page. */
const maxOfferCards = 5

/** Renders the cards of the first `limit` configurations, and the number of the others. */
export async function renderCards(
  deps: Deps,
  tenant: Tenant,
  headers: Headers,
  { configurationIds, limit = maxOfferCards }: { configurationIds: string[]; limit?: number },
): Promise<RenderedCards> {
  const cards = await cardsOf(deps, tenant, headers, configurationIds.slice(0, limit))
  const { language, texts } = pageTexts(headers)
  const others = configurationIds.length - cards.length
  const markup = html`<ul class="cards">${cards.map(cardItem)}</ul>
${others > 0 ? html`<p>${fillText(texts.offer.more, language, { count: others })}</p>` : undefined}`
  return { markup: cards.length > 0 ? markup : undefined, style: cards.map(cardStyle).join('') }
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
