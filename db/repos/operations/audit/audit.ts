import { and, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import { Problem } from '../../../../shared/errors/errors.ts'
import { newOrderedId } from '../../../../shared/ids.ts'
import type { Reader, Writer } from '../../../client.ts'
import { param, prepared, preparedInsert } from '../../../engine/prepared.ts'
import type { Cursor, Walked } from '../../../page.ts'
import { auditEvents } from '../../../tables/operations/audit-events.ts'
import { auditHeads } from '../../../tables/operations/audit-heads.ts'
import { tenants } from '../../../tables/tenancy/tenants.ts'
import type { EventFilters } from '../search/events.ts'
import { filterBy, walkNewest } from '../search/walk-newest.ts'
import { hashOfAuditRow } from './audit-hash.ts'
import { type AuditedObjects, insertAuditObjects } from './audit-objects.ts'

export type AuditRow = typeof auditEvents.$inferSelect
export type AuditHead = Pick<typeof auditHeads.$inferSelect, 'number' | 'hash'>

/** The category of audit events in `/v1/events`. */
export const auditCategory = 'AUDIT'

export interface AuditEntry {
  /** The tenant whose chain gets the entry. */
  tenantId: string
  type: string
  /** Ids and names of fields. */
  data: Record<string, unknown>
  requestId: string
  /** The management client, or the person who signed in. Both are absent for changes of the service itself. */
  clientId?: string | undefined
  managementUserId?: string | undefined
  /** The credentials whose status it changed. They are found by `findAuditIds`. */
  objects?: AuditedObjects | undefined
}

/**
 * Appends entries to the chains of their tenants, in the order given. Call it last in a transaction: the head of each
 * chain is locked until the end, so two changes of a tenant never get the same number. The number of statements does
 * not depend on the number of entries. Throws `not_found` if a tenant does not exist.
 */
export async function appendToAudit(tx: Writer, entries: AuditEntry[], at: Date): Promise<void> {
  const byTenant = [...Map.groupBy(entries, ({ tenantId }) => tenantId)]
  // The order is fixed, so that two transactions never deadlock.
  byTenant.sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [tenantId, ofTenant] of byTenant) await append(tx, tenantId, ofTenant, at)
}

async function append(tx: Writer, tenantId: string, entries: AuditEntry[], at: Date): Promise<void> {
  const count = entries.length
  const last = (await takeNext(tx, tenantId, count)) ?? (await takeFirst(tx, tenantId, count))
  let { hash } = last
  const rows = entries.map(({ clientId = null, managementUserId = null, objects: _objects, ...entry }, index) => {
    const link = { number: last.number - count + 1 + index, previousHash: hash }
    const row = { ...entry, ...link, id: newOrderedId(at), timestamp: at, clientId, managementUserId }
    hash = hashOfAuditRow(row)
    return { ...row, hash }
  })
  await insertRows(tx, rows)
  await insertAuditObjects(
    tx,
    rows.map(({ id }, index) => ({ tenantId, id, objects: entries[index]?.objects })),
  )
  await setHash(tx, { tenantId, hash })
}

const insertRows = preparedInsert('insert_audit_events', auditEvents)

const setHash = prepared('set_audit_head_hash', (tx) =>
  tx
    .update(auditHeads)
    .set({ hash: sql`${param('hash')}` })
    .where(eq(auditHeads.tenantId, param('tenantId'))),
)

/**
 * Returns the last of the next numbers, and the hash of the row before them. On PostgreSQL it waits for a transaction
 * that has taken numbers and is not finished.
 */
async function takeNext(tx: Writer, tenantId: string, count: number): Promise<AuditHead | undefined> {
  const [head] = await takeNumbers(tx, { tenantId, count })
  return head
}

const takeNumbers = prepared('take_audit_numbers', (tx) =>
  tx
    .update(auditHeads)
    .set({ number: sql`${auditHeads.number} + ${param('count')}` })
    .where(eq(auditHeads.tenantId, param('tenantId')))
    .returning({ number: auditHeads.number, hash: auditHeads.hash }),
)

async function takeFirst(tx: Writer, tenantId: string, count: number): Promise<AuditHead> {
  const [tenant] = await tx
    .select({ id: tenants.id })
    .from(tenants)
    .where(and(eq(tenants.id, tenantId), ne(tenants.state, 'deleting')))
  if (tenant) await beginAudit(tx, tenantId)
  const head = await takeNext(tx, tenantId, count)
  if (!head) throw new Problem('not_found')
  return head
}

/**
 * Creates the chain of a new tenant, without rows. The chain of a tenant that a version without audits created begins
 * with its first entry.
 */
export async function beginAudit(tx: Writer, tenantId: string): Promise<void> {
  await tx.insert(auditHeads).values({ tenantId, number: 0, hash: '' }).onConflictDoNothing()
}

/**
 * Deletes the head of a tenant's audit and returns it. After that, no entry can be added. The rows, which may be many,
 * are deleted with the other rows of the tenant (removal.ts).
 */
export async function endAudit(tx: Writer, tenantId: string): Promise<AuditHead | undefined> {
  const [head] = await tx
    .delete(auditHeads)
    .where(eq(auditHeads.tenantId, tenantId))
    .returning({ number: auditHeads.number, hash: auditHeads.hash })
  return head
}

/** Returns at most `limit` rows after the number `after` with one of these types that other requests than `requestId` wrote. */
export async function findAuditOfOthers(
  db: Reader,
  tenantId: string,
  { after, types, requestId }: { after: number; types: readonly string[]; requestId: string },
  limit: number,
): Promise<Pick<AuditRow, 'type' | 'data'>[]> {
  const { number, type, data } = auditEvents
  return db
    .select({ type, data })
    .from(auditEvents)
    .where(
      and(
        eq(auditEvents.tenantId, tenantId),
        gt(number, after),
        inArray(type, [...types]),
        ne(auditEvents.requestId, requestId),
      ),
    )
    .limit(limit)
}

/** Returns a tenant's audit, newest first, with the filters of events. */
export async function listAuditEvents(
  db: Reader,
  tenantId: string,
  { categories, managementUserIds, ids, requestIds, types, clientIds, ...range }: EventFilters,
  limit: number,
  cursor?: Cursor,
): Promise<Walked<AuditRow>> {
  if (categories && !categories.includes(auditCategory)) return { rows: [] }
  const { id, requestId, type, clientId, managementUserId } = auditEvents
  const filters = [
    ...filterBy(id, ids, { isKey: true }),
    ...filterBy(requestId, requestIds),
    ...filterBy(managementUserId, managementUserIds),
    ...filterBy(clientId, clientIds),
    ...filterBy(type, types),
  ]
  return walkNewest(db, auditEvents, tenantId, { filters, range: { ...range, cursor }, limit })
}
