import { and, desc, eq, gte, inArray, lte, ne, sql } from 'drizzle-orm'
import { Problem } from '../../../shared/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import { hashOfAuditRow } from '../../audit-hash.ts'
import type { Reader, Writer } from '../../client.ts'
import { beforeCursor, type Cursor, cutPage, type Walked } from '../../page.ts'
import { auditEvents } from '../../tables/operations/audit-events.ts'
import { auditHeads } from '../../tables/operations/audit-heads.ts'
import { tenants } from '../../tables/tenancy/tenants.ts'
import type { EventFilters } from './events.ts'

export type AuditRow = typeof auditEvents.$inferSelect
export type AuditHead = Pick<typeof auditHeads.$inferSelect, 'number' | 'hash'>

/** The category under which `/v1/events` shows the audit. */
export const auditCategory = 'AUDIT'

export interface AuditEntry {
  /** Whose chain tells it. */
  tenantId: string
  type: string
  /** Ids and names of fields. */
  data: Record<string, unknown>
  requestId: string
  /** The management client; absent when the service did it by itself. */
  clientId?: string | undefined
}

/**
 * Adds to the chains of the tenants that are named. To be called last in a transaction: each chain's head is locked until
 * it ends, so that two changes of one tenant are never both the next. Throws `not_found` when a tenant is gone.
 */
export async function appendToAudit(tx: Writer, entries: AuditEntry[], at: Date): Promise<void> {
  // In one order, so that two transactions never wait for each other.
  for (const entry of entries.toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1))) await append(tx, entry, at)
}

async function append(tx: Writer, { clientId, ...entry }: AuditEntry, at: Date): Promise<void> {
  const head = (await takeNext(tx, entry.tenantId)) ?? (await takeFirst(tx, entry.tenantId))
  const place = { number: head.number, previousHash: head.hash }
  const row = { ...entry, ...place, id: newOrderedId(at), timestamp: at, clientId: clientId ?? null }
  const hash = hashOfAuditRow(row)
  await tx.insert(auditEvents).values({ ...row, hash })
  await tx.update(auditHeads).set({ hash }).where(eq(auditHeads.tenantId, entry.tenantId))
}

/** The number of the next row, and the hash of the one before. On PostgreSQL it waits for whoever has taken one and is not done. */
async function takeNext(tx: Writer, tenantId: string): Promise<AuditHead | undefined> {
  const [head] = await tx
    .update(auditHeads)
    .set({ number: sql`${auditHeads.number} + 1` })
    .where(eq(auditHeads.tenantId, tenantId))
    .returning()
  return head
}

async function takeFirst(tx: Writer, tenantId: string): Promise<AuditHead> {
  const [tenant] = await tx
    .select({ id: tenants.id })
    .from(tenants)
    .where(and(eq(tenants.id, tenantId), ne(tenants.state, 'deleting')))
  if (tenant) await beginAudit(tx, tenantId)
  const head = await takeNext(tx, tenantId)
  if (!head) throw new Problem('not_found')
  return head
}

/** A new tenant's chain, which has no rows yet. One whose tenant was made by a version without audits begins when it is needed. */
export async function beginAudit(tx: Writer, tenantId: string): Promise<void> {
  await tx.insert(auditHeads).values({ tenantId, number: 0, hash: '' }).onConflictDoNothing()
}

/**
 * Takes the head of a tenant's audit away, and says what it was: from then on nothing can be added. The rows, of which there
 * may be very many, go with what else the tenant owns (removal.ts).
 */
export async function endAudit(tx: Writer, tenantId: string): Promise<AuditHead | undefined> {
  const [head] = await tx
    .delete(auditHeads)
    .where(eq(auditHeads.tenantId, tenantId))
    .returning({ number: auditHeads.number, hash: auditHeads.hash })
  return head
}

/** A tenant's audit, newest first, by the filters of its events. */
export async function listAuditEvents(
  db: Reader,
  tenantId: string,
  filters: EventFilters,
  limit: number,
  cursor?: Cursor,
): Promise<Walked<AuditRow>> {
  const { categories, managementUserIds, ids, requestIds, types, clientIds, dateFrom, dateTo } = filters
  if (managementUserIds || (categories && !categories.includes(auditCategory))) return { rows: [] }
  const rows = await db
    .select()
    .from(auditEvents)
    .where(
      and(
        eq(auditEvents.tenantId, tenantId),
        ids && inArray(auditEvents.id, ids),
        requestIds && inArray(auditEvents.requestId, requestIds),
        types && inArray(auditEvents.type, types),
        clientIds && inArray(auditEvents.clientId, clientIds),
        dateFrom && gte(auditEvents.timestamp, dateFrom),
        dateTo && lte(auditEvents.timestamp, dateTo),
        beforeCursor(auditEvents.timestamp, auditEvents.id, cursor),
      ),
    )
    .orderBy(desc(auditEvents.timestamp), desc(auditEvents.id))
    .limit(limit + 1)
  return cutPage(rows, limit, ({ timestamp, id }) => ({ at: timestamp, id }))
}
