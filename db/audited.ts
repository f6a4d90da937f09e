import type { Clock } from '../shared/clock.ts'
import { newOrderedId } from '../shared/ids.ts'
import type { Database, Writer } from './client.ts'
import { type AuditEntry, appendToAudit } from './repos/operations/audit.ts'

/** Says what was changed, for the audit of a tenant: ids and names of fields, never their values. */
export type Tell = (tenantId: string, data: Record<string, unknown>) => void

/** One write transaction that the audit tells of: it commits with what `tell` was told, or not at all. */
export type Change = <Result>(work: (tx: Writer, tell: Tell) => Promise<Result>) => Promise<Result>

export interface ChangedBy {
  /** The operation's, as its other events have it; the audit's end with `_AUDIT`. */
  event: string
  /** Absent when no request asked for it. */
  requestId?: string
  clientId?: string | undefined
}

/** Transactions of one operation. A transaction that told nothing throws, and nothing of it stays. */
export function changesBy(
  { db, clock }: { db: Database; clock: Clock },
  { event, clientId, ...by }: ChangedBy,
): Change {
  const type = `${event}_AUDIT`
  const requestId = by.requestId ?? newOrderedId(clock.now())
  return (work) =>
    db.tx(async (tx) => {
      const entries: AuditEntry[] = []
      const result = await work(tx, (tenantId, data) => entries.push({ tenantId, type, data, requestId, clientId }))
      if (entries.length === 0) throw new Error(`a change has to tell what it did: ${type}`)
      await appendToAudit(tx, entries, clock.now())
      return result
    })
}
