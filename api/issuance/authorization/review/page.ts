import type { AuthorizationRow } from '../../../../db/repos/issuance/sessions/authorizations.ts'
import { findOAuthClient } from '../../../../db/repos/issuance/wallets.ts'
import { html } from '../../../../shared/pages/html.ts'
import { type RenderedPage, renderPage } from '../../../../shared/pages/page.ts'
import { fillText } from '../../../../shared/texts/fill-text.ts'
import type { Tenant } from '../../../access/subjects.ts'
import type { Deps } from '../../../deps.ts'
import type { Headers } from '../../../http/route.ts'
import { renderCards } from '../../offer-page/render-cards.ts'
import { cardStyle } from '../../offer-page/style.ts'
import { issuerNameOf, pageBrandingOf } from '../../pages/branding.ts'
import { renderContact } from '../../pages/contact.ts'
import { pageTexts } from '../../pages/languages.ts'

/** A scope can name more configurations. The page tells their number. */
const maxReviewedCards = 20

/**
 * Renders the page before the sign-in, which says what will be issued (OpenID4VCI 1.0, section 15.1). Its form is sent to the address of
 * the page.
 */
export async function reviewPage(
  deps: Deps,
  tenant: Tenant,
  headers: Headers,
  authorization: AuthorizationRow,
): Promise<RenderedPage> {
  const {
    language,
    texts: { review },
  } = pageTexts(headers)
  const { configurationIds } = authorization
  const cards = await renderCards(deps, tenant, headers, { configurationIds, limit: maxReviewedCards })
  const wallet = await findAttestedWalletName(deps, authorization)
  const title = fillText(review.title, language, { count: configurationIds.length })
  const content = html`<h1>${title}</h1>
${cards.markup}
${wallet === undefined ? undefined : html`<p>${review.wallet} <strong>${wallet}</strong></p>`}
<p>${review.next}</p>
<p>${review.unexpected}</p>
<form method="post"><button class="action" name="answer" value="continue">${review.continue}</button>
<button class="action second" name="answer" value="cancel">${review.cancel}</button></form>
${renderContact(tenant, headers)}`
  return renderPage({
    ...{ language, title, content },
    branding: pageBrandingOf(deps, tenant, issuerNameOf(tenant, headers)),
    style: cardStyle + cards.style,
    // Browsers apply `form-action` to the redirects after a form too. They lead to the provider, the component and the wallet.
    formsAnywhere: true,
  })
}

/** Returns the registered name of a wallet whose attestation was verified. Anyone can use the client id of other wallets. */
async function findAttestedWalletName(
  { db }: Deps,
  { tenantId, registrationId, instanceJkt }: AuthorizationRow,
): Promise<string | undefined> {
  if (registrationId === null || instanceJkt === null) return undefined
  return (await findOAuthClient(db.read, tenantId, registrationId))?.name
}
