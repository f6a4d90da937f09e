import type { Look } from '../../../shared/pages/page.ts'
import type { Tenant } from '../../access/subjects.ts'
import type { Deps } from '../../deps.ts'
import { logoAddressOf } from './logos.ts'

/** What is the tenant's on its pages: a name in the reader's language where it has one, a logo and two colours. */
export function lookOf(deps: Deps, tenant: Tenant | undefined, name = tenant?.name ?? 'Trustwright'): Look {
  const { logoUrl, backgroundColor, accentColor } = tenant?.settings.branding ?? {}
  const logo = tenant && logoUrl && logoAddressOf(deps, tenant.id, logoUrl)
  return { name, logo, backgroundColor, accentColor }
}
