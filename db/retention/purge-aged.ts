import { and, asc, eq, gte, isNotNull, isNull, lt, lte, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Reader, Writer } from '../client.ts'
import { hasLocation, rowLocation } from '../columns.ts'
import { afterCursor, type Cursor } from '../page.ts'
import { participantEvidence } from '../tables/ecosystems/evidence.ts'
import { bulkIssuances } from '../tables/issuance/bulk-issuances.ts'
import { type IssuanceState, issuances, type Refusal } from '../tables/issuance/issuances.ts'
import { deliveries } from '../tables/operations/deliveries.ts'
import { events } from '../tables/operations/events.ts'
import { deleteAt } from './removal.ts'
import { retentionRules } from './retention-table.ts'

/**
 * Removes up to `limit` rows that ended before `before`, the oldest first, and returns their number
 * (retention-table.ts). Reads only an index range of old rows.
 */
export type Purge = (tx: Writer, before: Date, limit: number) => Promise<number>

export interface AgingTable {
  table: PgTable
  by: PgColumn
  afterMs: number
}

/**
 * Purged by other functions: only some old issuances are removed, deliveries and events are purged per owner
 * (owner-walks.ts), and evidence and bulk issuances are removed with their content (removal.ts).
 */
const purgedSeparately: PgTable[] = [issuances, deliveries, events, participantEvidence, bulkIssuances]

/** The tables whose rows are purged by their age alone, for all tenants together. */
export const agingTables: AgingTable[] = retentionRules.flatMap(({ table, ages }) =>
  ages && !purgedSeparately.includes(table) ? [{ table, ...ages }] : [],
)

export function purgeAged({ table, by }: Pick<AgingTable, 'table' | 'by'>): Purge {
  return async (tx, before, limit) => {
    const old = tx
      .select({ location: rowLocation(table) })
      .from(table)
      .where(lt(by, before))
      .orderBy(asc(by))
      .limit(limit)
    return deleteAt(tx, table, old)
  }
}

/** Removes the content of issued credentials. Their metadata stay in `credentials`. */
export const wipeIssuances: Purge = async (tx, before, limit) => {
  const old = tx
    .select({ location: rowLocation(issuances) })
    .from(issuances)
    .where(and(eq(issuances.state, 'issued'), lte(issuances.requestedAt, before)))
    .orderBy(asc(issuances.requestedAt))
    .limit(limit)
  return countOf(
    tx
      .update(issuances)
      .set({ state: 'wiped', credentials: null })
      .where(hasLocation(issuances, old))
      .returning({ id: issuances.id }),
  )
}

/** Removes issuances without a result or content. Reads one state after the other, as the index is sorted by state. */
export const purgeIssuances: Purge = async (tx, before, limit) => {
  let count = 0
  for (const state of ['wiped', 'refused', 'abandoned'] as const) {
    const old = tx
      .select({ location: rowLocation(issuances) })
      .from(issuances)
      .where(and(eq(issuances.state, state), lte(issuances.requestedAt, before)))
      .orderBy(asc(issuances.requestedAt))
      .limit(limit - count)
    count += await deleteAt(tx, issuances, old)
    if (count >= limit) break
  }
  return count
}

/**
 * Moves issuances from `requested` to `abandoned` whose API process died or whose job was lost. Removes their claims.
 */
export function abandonIssuancesAt(at: Date): Purge {
  return endRequested({ state: 'abandoned', endedAt: at }, isNull(issuances.deferredAt))
}

/** Moves deferred issuances that were never signed from `requested` to `refused`. Removes their claims. */
export function refuseDeferredAt(at: Date): Purge {
  const refusal = { check: 'signed_in_time', reason: 'The credential was not signed within an hour' } as const
  return endRequested({ state: 'refused', endedAt: at, refusal }, isNotNull(issuances.deferredAt))
}

interface RequestedEnd {
  state: IssuanceState
  endedAt: Date
  refusal?: Refusal
}

function endRequested(end: RequestedEnd, which: SQL): Purge {
  return async (tx, before, limit) => {
    const due = and(eq(issuances.state, 'requested'), lte(issuances.requestedAt, before), which)
    const rows = tx
      .select({ location: rowLocation(issuances) })
      .from(issuances)
      .where(due)
      .orderBy(asc(issuances.requestedAt))
      .limit(limit)
    return countOf(
      tx
        .update(issuances)
        .set({ ...end, claims: null, validity: null })
        .where(hasLocation(issuances, rows))
        .returning({ id: issuances.id }),
    )
  }
}

/**
 * Returns deferred issuances that were requested before `before` and are not signed, after the cursor, the oldest
 * first.
 */
export async function findDeferred(
  db: Reader,
  before: Date,
  cursor: Cursor | undefined,
  limit: number,
): Promise<(Cursor & { tenantId: string })[]> {
  const { id, tenantId, state, requestedAt: at } = issuances
  const isDeferred = and(eq(state, 'requested'), lte(at, before), isNotNull(issuances.deferredAt))
  return db
    .select({ id, tenantId, at })
    .from(issuances)
    .where(and(isDeferred, cursor && gte(at, cursor.at), afterCursor(at, id, cursor)))
    .orderBy(asc(at), asc(id))
    .limit(limit)
}

async function countOf(rows: PromiseLike<unknown[]>): Promise<number> {
  return (await rows).length
}
