import type { Clock } from '../../../shared/clock.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Database, Writer } from '../../client.ts'
import { type AuditEntry, appendToAudit } from './audit.ts'

/** Says what was changed, for the audit of a tenant: ids and names of fields, never their values. */
export type Tell = (tenantId: string, data: Record<string, unknown>) => void

/** One write transaction that the audit tells of: it commits with what `tell` was told, or not at all. */
export type Change = <Result>(work: (tx: Writer, tell: Tell) => Promise<Result>) => Promise<Result>

export interface ChangedBy {
  /** The operation's, as its other events have it; the audit's end with `_AUDIT`. */
  event: string
  /** What one request did has one; without a request, what one transaction did. */
  requestId: string
  clientId?: string | undefined
  managementUserId?: string | undefined
}

/** Transactions of one operation. A transaction that told nothing throws, and nothing of it stays. */
export function changesBy(
  { db, clock }: { db: Database; clock: Clock },
  { requestId = newOrderedId(clock.now()), ...by }: Omit<ChangedBy, 'requestId'> & { requestId?: string },
): Change {
  return (work) =>
    db.tx(async (tx) => {
      const entries: AuditEntry[] = []
      const result = await work(tx, (tenantId, data) => entries.push(auditEntry({ ...by, requestId }, tenantId, data)))
      if (entries.length === 0) throw new Error(`a change has to tell what it did: ${by.event}`)
      await appendToAudit(tx, entries, clock.now())
      return result
    })
}

/** What the audit tells of a change, for a transaction that is shared by several. */
export function auditEntry(
  { event, requestId, clientId, managementUserId }: ChangedBy,
  tenantId: string,
  data: Record<string, unknown>,
): AuditEntry {
  return { tenantId, type: `${event}_AUDIT`, data, requestId, clientId, managementUserId }
}
