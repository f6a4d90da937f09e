import { and, asc, eq, gte, isNotNull, isNull, lt, lte, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Reader, Writer } from '../client.ts'
import { liesIn, place } from '../columns.ts'
import { afterCursor, type Cursor } from '../page.ts'
import { participantEvidence } from '../tables/ecosystems/evidence.ts'
import { type IssuanceState, issuances } from '../tables/issuance/issuances.ts'
import { deliveries } from '../tables/operations/deliveries.ts'
import { events } from '../tables/operations/events.ts'
import { deleteAt } from './removal.ts'
import { retentionRules } from './retention-table.ts'

/**
 * What is not kept for ever (retention-table.ts). Each function takes away at most `most` rows that were over before `before`, the
 * oldest first, and says how many they were; it looks only at what an index says is old.
 */
export type Purge = (tx: Writer, before: Date, most: number) => Promise<number>

export interface AgingTable {
  table: PgTable
  by: PgColumn
  afterMs: number
}

/** Of issuances not every old row goes, deliveries and events are purged owner by owner (owner-walks.ts), and evidence goes with its chunks (removal.ts). */
const special: PgTable[] = [issuances, deliveries, events, participantEvidence]

/** The tables whose rows go by their age alone, whosever they are. */
export const agingTables: AgingTable[] = retentionRules.flatMap(({ table, ages }) =>
  ages && !special.includes(table) ? [{ table, ...ages }] : [],
)

export function purgeAged({ table, by }: Pick<AgingTable, 'table' | 'by'>): Purge {
  return async (tx, before, most) => {
    const old = tx
      .select({ place: place(table) })
      .from(table)
      .where(lt(by, before))
      .orderBy(asc(by))
      .limit(most)
    return deleteAt(tx, table, old)
  }
}

/** The content of issued credentials; what is known of them stays in `credentials`. */
export const wipeIssuances: Purge = async (tx, before, most) => {
  const old = tx
    .select({ place: place(issuances) })
    .from(issuances)
    .where(and(eq(issuances.state, 'issued'), lte(issuances.requestedAt, before)))
    .orderBy(asc(issuances.requestedAt))
    .limit(most)
  return countOf(
    tx
      .update(issuances)
      .set({ state: 'wiped', credentials: null })
      .where(liesIn(issuances, old))
      .returning({ id: issuances.id }),
  )
}

/** Issuances that came to nothing, or of which nothing is left; state by state, as the index has them. */
export const purgeIssuances: Purge = async (tx, before, most) => {
  let count = 0
  for (const state of ['wiped', 'refused', 'abandoned'] as const) {
    const old = tx
      .select({ place: place(issuances) })
      .from(issuances)
      .where(and(eq(issuances.state, state), lte(issuances.requestedAt, before)))
      .orderBy(asc(issuances.requestedAt))
      .limit(most - count)
    count += await deleteAt(tx, issuances, old)
    if (count >= most) break
  }
  return count
}

/** `requested` -> `abandoned`, for those whose API process died, or whose job was lost; the claims are wiped. */
export function abandonIssuancesAt(at: Date): Purge {
  return endRequested({ state: 'abandoned', endedAt: at }, isNull(issuances.deferredAt))
}

/** `requested` -> `refused`, for those that were deferred and never signed; the claims are wiped. */
export function refuseDeferredAt(at: Date): Purge {
  return endRequested({ state: 'refused', endedAt: at }, isNotNull(issuances.deferredAt))
}

function endRequested(end: { state: IssuanceState; endedAt: Date }, which: SQL): Purge {
  return async (tx, before, most) => {
    const due = and(eq(issuances.state, 'requested'), lte(issuances.requestedAt, before), which)
    const rows = tx
      .select({ place: place(issuances) })
      .from(issuances)
      .where(due)
      .orderBy(asc(issuances.requestedAt))
      .limit(most)
    return countOf(
      tx
        .update(issuances)
        .set({ ...end, claims: null, validity: null })
        .where(liesIn(issuances, rows))
        .returning({ id: issuances.id }),
    )
  }
}

/** Deferred issuances that were asked for before `before` and are not signed, behind the cursor, the oldest first. */
export async function findDeferred(
  db: Reader,
  before: Date,
  cursor: Cursor | undefined,
  most: number,
): Promise<(Cursor & { tenantId: string })[]> {
  const { id, tenantId, state, requestedAt: at } = issuances
  const isDeferred = and(eq(state, 'requested'), lte(at, before), isNotNull(issuances.deferredAt))
  return db
    .select({ id, tenantId, at })
    .from(issuances)
    .where(and(isDeferred, cursor && gte(at, cursor.at), afterCursor(at, id, cursor)))
    .orderBy(asc(at), asc(id))
    .limit(most)
}

async function countOf(rows: PromiseLike<unknown[]>): Promise<number> {
  return (await rows).length
}
