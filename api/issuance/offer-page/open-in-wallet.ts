import type { WalletLink } from '../../../db/tables/tenancy/tenants.ts'
import { fillHtml, type Html, html } from '../../../shared/pages/html.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { type OfferUriInput, offerUri } from '../offers/offer-object.ts'
import { type DisplayedOffer, offerUriInput } from '../offers/shown.ts'
import type { PageTexts } from '../pages/languages.ts'
import { renderLocalTime } from '../pages/local-time.ts'
import { qrOnPage, qrTextOf } from './qr.ts'

type Texts = PageTexts['offer']

interface Said {
  texts: Texts
  language: string
  step: string | undefined
}

/**
 * Renders the ways to open a usable offer in a wallet. The button is a link, and the script tries the browser API first. The QR code is
 * for another device. The script closes it on phones, so it is visible without scripts.
 */
export function renderOpenInWallet(
  deps: Deps,
  tenant: Tenant,
  offer: DisplayedOffer,
  said: Said,
): { markup: Html; style: string } {
  const { expiresAt, transactionCode } = offer
  const { texts } = said
  const input = offerUriInput(deps, tenant, offer)
  const { walletLinks = [] } = tenant.settings.branding
  const { svg, style } = qrOnPage(deps, qrTextOf(input), texts.qr)
  const markup = html`<div id="offer">
<div class="ways">
${said.step === undefined ? undefined : html`<p class="step">${said.step}</p>`}
${expiresAt ? undefined : html`<p>${texts.signIn}</p>`}
${transactionCode && codeNote(transactionCode, texts)}
<a class="action screen" href="${offerUri(input)}" data-offer="${JSON.stringify(input.content)}">${texts.add}</a>
${appButtons(walletLinks, input, texts)}
<p class="note screen" id="refused" role="alert" hidden>${texts.refused}</p>
${expiresAt && timeLeft(expiresAt, deps.clock.now(), said)}
</div>
<details class="device" id="device" open><summary>${texts.otherDevice}</summary>
<div class="qr">${svg}</div>
<p class="screen">${texts.scan}</p>
</details>
${noWallet(walletLinks, texts)}
</div>`
  return { markup, style }
}

/** Renders a button for each app with an address for offers. The referrer would be the secret address of the page. */
function appButtons(links: readonly WalletLink[], input: OfferUriInput, texts: Texts): Html[] {
  return links.flatMap(({ name, offerUrl }) => {
    if (offerUrl === undefined) return []
    const text = fillHtml(texts.openIn, { wallet: html`${name}` })
    return html`<a class="action second screen" href="${offerUri({ ...input, offerUrl })}" rel="noreferrer">${text}</a>`
  })
}

/** Renders what to do without a wallet. */
function noWallet(links: readonly WalletLink[], texts: Texts): Html {
  const apps = links.map(({ name, url }) => html`<li><a href="${url}" rel="noreferrer">${name}</a></li>`)
  return html`<details class="apps screen"><summary>${texts.noWallet}</summary>
<p>${links.length > 0 ? texts.getWallet : texts.askWallet}</p>
${links.length > 0 ? html`<ul>${apps}</ul>` : undefined}</details>`
}

/** Renders a note that the wallet will ask for a code, with the operator's description. Never contains the code. */
function codeNote({ description }: { description?: string }, { code }: Texts): Html {
  return html`<p class="note">${code}${description ? html`<br><q>${description}</q>` : undefined}</p>`
}

/** Renders the remaining time. The screen shows a countdown, a print shows the end time. */
function timeLeft(expiresAt: Date, at: Date, { texts, language }: Said): Html {
  const leftMs = expiresAt.getTime() - at.getTime()
  const seconds = Math.ceil(leftMs / 1000)
  const left = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  const until = fillHtml(texts.until, { end: renderLocalTime(expiresAt, language) })
  return html`<p class="left screen">${texts.left} <time data-left="${leftMs}" datetime="${expiresAt.toISOString()}">${left}</time></p>
<p class="left print">${until}</p>`
}
