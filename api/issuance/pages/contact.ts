import { type Html, html } from '../../../shared/pages/html.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Headers } from '../../http/route.ts'
import { pageTexts } from './languages.ts'

/** Renders the contact of a tenant: a link to a page or an email address, shown without its scheme. */
export function renderContact(tenant: Tenant | undefined, headers: Headers): Html | undefined {
  const { contact } = tenant?.settings.branding ?? {}
  if (contact === undefined) return undefined
  const label = contact.replace(/^(https:\/\/|mailto:)/i, '')
  return html`<p class="help">${pageTexts(headers).texts.labels.contact} <a href="${contact}" rel="noreferrer">${label}</a></p>
`
}
