import { and, asc, count, eq, lte, sum } from 'drizzle-orm'
import { minuteMs, plusMs } from '../../../shared/clock.ts'
import type { Reader } from '../../client.ts'
import { statusChanges } from '../../tables/status/changes.ts'
import { type StatusListKind, statusLists } from '../../tables/status/lists.ts'
import { publishedLists } from '../../tables/status/published-lists.ts'

/** The positions of all lists of a kind. */
export interface ListFill {
  kind: StatusListKind
  lists: number
  size: number
  taken: number
}

/** Returns the time of the oldest unpublished change of all tenants, or undefined if there is none. */
export async function findOldestChange(db: Reader): Promise<Date | undefined> {
  // The ids are ordered by time.
  const [row] = await db
    .select({ at: statusChanges.changedAt })
    .from(statusChanges)
    .orderBy(asc(statusChanges.id))
    .limit(1)
  return row?.at
}

/** Returns how full the lists of all tenants are. A tenant has few lists. */
export async function findListFills(db: Reader): Promise<ListFill[]> {
  const rows = await db
    .select({
      kind: statusLists.kind,
      lists: count(),
      size: sum(statusLists.size),
      taken: sum(statusLists.taken),
    })
    .from(statusLists)
    .groupBy(statusLists.kind)
  return rows.map((row) => ({ ...row, size: Number(row.size), taken: Number(row.taken) }))
}

const renewalIsLateAfterMs = 5 * minuteMs
const endsWithinMs = 2 * 24 * 60 * minuteMs

/**
 * Returns up to `limit` lists of all tenants that expire within two days or have expired, because their renewal is
 * late.
 */
export async function findEndingLists(db: Reader, at: Date, limit: number) {
  const { renewAt, expiresAt, listId, tenantId } = publishedLists
  return db
    .select({ tenantId, listId, kind: statusLists.kind, expiresAt })
    .from(publishedLists)
    .innerJoin(statusLists, and(eq(statusLists.tenantId, tenantId), eq(statusLists.id, listId)))
    .where(and(lte(renewAt, plusMs(at, -renewalIsLateAfterMs)), lte(expiresAt, plusMs(at, endsWithinMs))))
    .orderBy(asc(renewAt))
    .limit(limit)
}
