import { type Html, html } from '../../../shared/pages/html.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Headers } from '../../http/route.ts'
import { forReader } from './for-reader.ts'

/** The texts of a tenant for its pages, in the language of the reader. */
export interface TenantTexts {
  heading?: Html
  advice?: Html
  contact?: Html
}

/** Returns the tenant's texts in the reader's language, or those without a language. Otherwise the pages show their own texts. */
export function tenantTextsOf(tenant: Tenant | undefined, headers: Headers): TenantTexts {
  const texts = [...(tenant?.settings.branding.texts ?? []), {}]
  const { locale, heading, advice, contact } = forReader(texts, headers) ?? {}
  const inLanguage = (text: string) =>
    locale === undefined ? html`${text}` : html`<span lang="${locale}">${text}</span>`
  return {
    ...(heading && { heading: inLanguage(heading) }),
    ...(advice && { advice: inLanguage(advice) }),
    ...(contact && { contact: inLanguage(contact) }),
  }
}
