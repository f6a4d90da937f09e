import { type Html, html } from '../../../shared/pages/html.ts'
import { type RenderedPage, renderPage } from '../../../shared/pages/page.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Headers } from '../../http/route.ts'
import type { OfferOnPage } from '../offers/shown.ts'
import { lookOf } from '../pages/look.ts'
import { pageScript } from './asset.ts'
import { type Card, cardsOf } from './cards.ts'
import { renderHandOver } from './hand-over.ts'
import { offerStyle } from './style.ts'
import { forReader, offerTexts, type Texts } from './texts.ts'

/** How often an open page asks what has become of the offer; one that does not end can only be withdrawn. */
const asksEveryMs = 3_000
const asksSeldomEveryMs = 30_000

/** What a person sees who is to get a credential. It holds the offer only while that can be used, and no transaction code ever. */
export async function offerPage(
  deps: Deps,
  tenant: Tenant,
  headers: Headers,
  offer: OfferOnPage,
): Promise<RenderedPage> {
  const { language, texts } = offerTexts(headers)
  const cards = await cardsOf(deps, tenant, headers, offer.configurationIds)
  const title = offer.configurationIds.length === 1 ? texts.one : texts.several
  const { branding } = tenant.settings
  const names: { name: string; locale?: string }[] = [{ name: tenant.name }, ...(branding.names ?? [])]
  const { name } = forReader(names, headers) ?? tenant
  const { expiresAt, state } = offer
  const handedOver = state === 'offered' ? renderHandOver(deps, tenant, offer, { texts, language }) : undefined
  const content = html`<h1>${title}</h1>
${cards.length > 0 ? cardList(offer, cards, texts) : undefined}
${handedOver?.markup}
${outcomes(texts, state)}
<noscript><a class="refresh screen" href="">${texts.refresh}</a></noscript>`
  return renderPage({
    language,
    title,
    look: lookOf(deps, tenant, name),
    content,
    style: offerStyle + cards.map(cardStyle).join('') + (handedOver?.style ?? ''),
    script: `/o/assets/${pageScript().name}`,
    data: { state, every: String(expiresAt ? asksEveryMs : asksSeldomEveryMs) },
  })
}

function cardList({ configurationIds }: OfferOnPage, cards: Card[], { more }: Texts): Html {
  const others = configurationIds.length - cards.length
  return html`<ul class="cards">${cards.map(cardItem)}</ul>
${others > 0 ? html`<p>${more} ${others}</p>` : undefined}`
}

function cardItem({ name, locale, description, logo }: Card, at: number): Html {
  const told = description === undefined ? undefined : html`<small>${description}</small>`
  const picture = logo === undefined ? undefined : html`<img src="${logo}" alt="" width="40" height="40">`
  return html`<li class="card card-${at}"${locale === undefined ? undefined : html` lang="${locale}"`}>${picture}<div>${name}${told}</div></li>`
}

/** Colours that were checked twice, and nothing else of anybody's. */
function cardStyle({ colors }: Card, at: number): string {
  return colors ? `.card-${at}{background:${colors.background};color:${colors.text}}\n` : ''
}

/** All that can become of it stands there, so that the script has no words of its own; one at most is seen, and read out when it comes. */
function outcomes({ outcomes }: Texts, state: OfferOnPage['state']): Html {
  const blocks = Object.entries(outcomes).map(
    ([when, { title, advice }]) =>
      html`<div data-when="${when}"${when === state ? undefined : html` hidden`}><h2>${title}</h2>
<p>${advice}</p></div>
`,
  )
  return html`<div role="status">${blocks}</div>`
}
