import { type Html, html } from '../../../shared/pages/html.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Headers } from '../../http/route.ts'
import { issuerNameOf } from './branding.ts'
import { pageTexts } from './languages.ts'
import { tenantTextsOf } from './tenant-texts.ts'

/**
 * Renders the contact of a tenant: its text, and a link to a page or an email address, shown without its scheme. Without both, the name
 * of the tenant.
 */
export function renderContact(tenant: Tenant | undefined, headers: Headers): Html | undefined {
  if (!tenant) return undefined
  const { contact: url } = tenant.settings.branding
  const { contact: text } = tenantTextsOf(tenant, headers)
  const label = url?.replace(/^(https:\/\/|mailto:)/i, '')
  const link = url === undefined ? undefined : html`<a href="${url}" rel="noreferrer">${label}</a>`
  const parts = text || link ? [text, text && ' ', link] : issuerNameOf(tenant, headers)
  return html`<p class="help">${pageTexts(headers).texts.labels.contact} ${parts}</p>
`
}
