import { asc, count, sum } from 'drizzle-orm'
import type { Reader } from '../../client.ts'
import { statusChanges } from '../../tables/status/changes.ts'
import { type StatusListKind, statusLists } from '../../tables/status/lists.ts'

/** Places of all lists of a kind. */
export interface ListFill {
  kind: StatusListKind
  lists: number
  size: number
  taken: number
}

/** When the oldest change was made that no published list shows, of all tenants; undefined when there is none. */
export async function findOldestChange(db: Reader): Promise<Date | undefined> {
  // Their ids are in the order of time.
  const [row] = await db
    .select({ at: statusChanges.changedAt })
    .from(statusChanges)
    .orderBy(asc(statusChanges.id))
    .limit(1)
  return row?.at
}

/** How full the lists of all tenants are; a tenant has a few. */
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
