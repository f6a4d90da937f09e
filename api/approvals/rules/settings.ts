import type { z } from 'zod'
import { findTenant } from '../../../db/repos/tenancy/tenants.ts'
import { needsFewerApprovals } from '../../../shared/domain/tenancy/approvals.ts'
import type { Measure } from '../../access/approvals.ts'
import type { OperatorCall } from '../../http/idempotency.ts'
import { afterPut } from '../../http/kept.ts'
import { presentSettings } from '../../tenancy/settings/present.ts'
import type { OwnSettingsUpdate } from '../../tenancy/settings/schemas.ts'

/** Settings with which fewer requests need an approval change one object. All others change none. */
export async function measureSettings({ tenantId, body, deps }: OperatorCall): Promise<Measure> {
  const tenant = await findTenant(deps.db.read, tenantId)
  const before = tenant?.settings.approvals ?? {}
  // Boundary: the schema of the operation has read the body.
  const { approvals } = body as z.output<typeof OwnSettingsUpdate>
  const after = afterPut(approvals, before, {})
  return {
    objects: needsFewerApprovals(before, after) ? 1 : 0,
    details: { before, after },
    answer: () => (tenant ? presentSettings(tenant) : {}),
  }
}
