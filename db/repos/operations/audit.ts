import { and, eq, ne, sql } from 'drizzle-orm'
import { Problem } from '../../../shared/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Reader, Writer } from '../../client.ts'
import { param, prepared, preparedInsert } from '../../engine/prepared.ts'
import type { Cursor, Walked } from '../../page.ts'
import { auditEvents } from '../../tables/operations/audit-events.ts'
import { auditHeads } from '../../tables/operations/audit-heads.ts'
import { tenants } from '../../tables/tenancy/tenants.ts'
import { hashOfAuditRow } from './audit-hash.ts'
import type { EventFilters } from './events.ts'
import { filterBy, walkNewest } from './walk-newest.ts'

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
  /** The management client, or the person who signed in; both are absent when the service did it by itself. */
  clientId?: string | undefined
  managementUserId?: string | undefined
}

/**
 * Adds to the chains of the tenants that are named, in the order in which they are given. To be called last in a transaction:
 * each chain's head is locked until it ends, so that two changes of one tenant are never both the next. However many entries a
 * tenant has, they take the same few statements. Throws `not_found` when a tenant is gone.
 */
export async function appendToAudit(tx: Writer, entries: AuditEntry[], at: Date): Promise<void> {
  const byTenant = [...Map.groupBy(entries, ({ tenantId }) => tenantId)]
  // In one order, so that two transactions never wait for each other.
  byTenant.sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [tenantId, ofTenant] of byTenant) await append(tx, tenantId, ofTenant, at)
}

async function append(tx: Writer, tenantId: string, entries: AuditEntry[], at: Date): Promise<void> {
  const count = entries.length
  const last = (await takeNext(tx, tenantId, count)) ?? (await takeFirst(tx, tenantId, count))
  let { hash } = last
  const rows = entries.map(({ clientId = null, managementUserId = null, ...entry }, index) => {
    const place = { number: last.number - count + 1 + index, previousHash: hash }
    const row = { ...entry, ...place, id: newOrderedId(at), timestamp: at, clientId, managementUserId }
    hash = hashOfAuditRow(row)
    return { ...row, hash }
  })
  await insertRows(tx, rows)
  await setHash(tx, { tenantId, hash })
}

const insertRows = preparedInsert('insert_audit_events', auditEvents)

const setHash = prepared('set_audit_head_hash', (tx) =>
  tx
    .update(auditHeads)
    .set({ hash: sql`${param('hash')}` })
    .where(eq(auditHeads.tenantId, param('tenantId'))),
)

/** The last of the next numbers, and the hash of the row before them. On PostgreSQL it waits for whoever has taken some and is not done. */
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
