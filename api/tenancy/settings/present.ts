import type { z } from 'zod'
import type { TenantRow } from '../../../db/repos/tenancy/tenants.ts'
import type { OwnSettings } from './schemas.ts'

/** Presents the settings that an admin of the tenant may change. */
export function presentSettings({
  name,
  settings: { branding, deferredIssuance, approvals, roles, walletFamilies, defaultView },
}: TenantRow): z.infer<typeof OwnSettings> {
  return { name, branding, deferredIssuance, approvals, roles, walletFamilies, defaultView }
}
