import type { ApprovalKind } from '../../shared/domain/tenancy/approvals.ts'
import type { Measure } from '../access/approvals.ts'
import type { OperatorCall } from '../http/idempotency.ts'
import { measureDeletionOf } from './rules/authority-deletion.ts'
import { measureBulkStart } from './rules/bulk-issuance.ts'
import { measureSettings } from './rules/settings.ts'
import { measureStatusChange } from './rules/status-change.ts'

interface Rule {
  /** The member of the setting with the number of objects. `settings`: each request that has an object needs an approval. */
  kind: ApprovalKind | 'settings'
  /** Without it, the handler throws `ApprovalNeeded`, and the sender executes the request after its approval. */
  measure?(call: OperatorCall): Promise<Measure>
}

/** The operations that can need an approval. */
export const approvalRules: Readonly<Record<string, Rule>> = {
  setRevocationStatuses: { kind: 'statusChanges', measure: measureStatusChange },
  startBulkIssuance: { kind: 'bulkIssuances', measure: measureBulkStart },
  deleteIaca: { kind: 'authorityDeletions', measure: measureDeletionOf('iaca', 'iacaId') },
  deleteEcosystemCa: {
    kind: 'authorityDeletions',
    measure: measureDeletionOf('ecosystem-ca', 'dtsCaCertificateId'),
  },
  applyConfiguration: { kind: 'configurationDeletions' },
  updateSettings: { kind: 'settings', measure: measureSettings },
}
