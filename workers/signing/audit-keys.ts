import type { Writer } from '../../db/client.ts'
import { appendToAudit } from '../../db/repos/operations/audit/audit.ts'
import { newOrderedId } from '../../shared/ids.ts'

/** Adds a change of keys to the audit of the tenant. Call it last in the transaction of the change. */
export async function auditKeys(
  tx: Writer,
  tenantId: string,
  event: 'KEY_CREATE' | 'KEY_ROTATE' | 'KEY_DELETE' | 'KEY_IMPORT',
  data: Record<string, unknown>,
  at: Date,
): Promise<void> {
  await appendToAudit(tx, [{ tenantId, type: `${event}_AUDIT`, data, requestId: newOrderedId(at) }], at)
}
