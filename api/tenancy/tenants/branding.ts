import type { z } from 'zod'
import type { Branding } from '../../../db/tables/tenancy/tenants.ts'
import type { TenantView } from './schemas.ts'

/** Returns the branding without undefined members, as `exactOptionalPropertyTypes` requires. */
export function brandingOf(branding: z.infer<typeof TenantView>['branding']): Branding {
  const { logoUrl, backgroundColor, accentColor, contact, offerUrl, walletLinks, names, texts } = branding
  return {
    ...(logoUrl && { logoUrl }),
    ...(backgroundColor && { backgroundColor }),
    ...(accentColor && { accentColor }),
    ...(contact && { contact }),
    ...(offerUrl && { offerUrl }),
    ...(walletLinks && { walletLinks }),
    ...(names && { names }),
    ...(texts && { texts }),
  }
}
