import type { PageBranding } from '../../../shared/pages/page.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import type { Headers } from '../../http/route.ts'
import { forReader } from './for-reader.ts'
import { logoAddressOf } from './logos.ts'

/** Returns the tenant's branding for its pages: a name in the reader's language if available, a logo and two colors. */
export function pageBrandingOf(
  deps: Deps,
  tenant: Tenant | undefined,
  name = tenant?.name ?? 'Trustwright',
): PageBranding {
  const { logoUrl, backgroundColor, accentColor } = tenant?.settings.branding ?? {}
  const logo = tenant && logoUrl && logoAddressOf(deps, tenant, logoUrl)
  return { name, logo, backgroundColor, accentColor }
}

/** Returns the name of the issuer in the reader's language. Other languages get the name of the tenant. */
export function issuerNameOf({ name, settings }: Tenant, headers: Headers): string {
  const names: { name: string; locale?: string }[] = [{ name }, ...(settings.branding.names ?? [])]
  return forReader(names, headers)?.name ?? name
}
