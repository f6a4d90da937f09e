import type { Clock } from '../../../../shared/clock.ts'
import { newOrderedId } from '../../../../shared/ids.ts'
import type { Database, Writer } from '../../../client.ts'
import { type AuditEntry, appendToAudit } from './audit.ts'

/** Records a change in the audit of a tenant: ids and names of fields, never their values. */
export type RecordChange = (tenantId: string, data: Record<string, unknown>) => void

/** Runs one write transaction, which commits together with its audit entries. */
export type Change = <Result>(work: (tx: Writer, record: RecordChange) => Promise<Result>) => Promise<Result>

/** A `Change` whose result is the row that it created. */
export type ChangeTo<Row> = (work: (tx: Writer, record: RecordChange) => Promise<NoInfer<Row>>) => Promise<Row>

export interface ChangedBy {
  /** The event of the operation. The audit entries add `_AUDIT` to it. */
  event: string
  /** The id of the request. Without a request, one id for each transaction. */
  requestId: string
  clientId?: string | undefined
  managementUserId?: string | undefined
}

interface ChangingDeps {
  db: Database
  clock: Clock
  /** Collects the audit entries of changes that share a transaction. Its owner appends them together. */
  sharedAudit?: AuditEntry[]
}

/** Returns transactions of one operation. A transaction that records nothing throws and is rolled back. */
export function changesBy(
  { db, clock, sharedAudit }: ChangingDeps,
  { requestId = newOrderedId(clock.now()), ...by }: Omit<ChangedBy, 'requestId'> & { requestId?: string },
): Change {
  return (work) =>
    db.tx(async (tx) => {
      const entries: AuditEntry[] = []
      const result = await work(tx, (tenantId, data) => entries.push(auditEntry({ ...by, requestId }, tenantId, data)))
      if (entries.length === 0) throw new Error(`A change of ${by.event} must be recorded in the audit.`)
      if (sharedAudit) sharedAudit.push(...entries)
      else await appendToAudit(tx, entries, clock.now())
      return result
    })
}

/** Returns the audit entry of a change, for a transaction that several operations share. */
export function auditEntry(
  { event, requestId, clientId, managementUserId }: ChangedBy,
  tenantId: string,
  data: Record<string, unknown>,
): AuditEntry {
  return { tenantId, type: `${event}_AUDIT`, data, requestId, clientId, managementUserId }
}
