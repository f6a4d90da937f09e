import { asc, desc, gte, lte, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** The end of a page: the creation time and id of its last row. */
export interface Cursor {
  at: Date
  id: string
}

/** The page of a list that a caller requests: at most `limit` rows after the cursor. */
export interface PageRequest {
  limit: number
  /** Absent for the first page. */
  cursor?: Cursor | undefined
}

/**
 * Matches the rows after the cursor, oldest first. Returns undefined for the first page. Reads one index range on both
 * databases.
 */
export function afterCursor(at: PgColumn, id: PgColumn, cursor: Cursor | undefined): SQL | undefined {
  if (!cursor) return undefined
  return sql`(${at}, ${id}) > (${sql.param(cursor.at, at)}, ${sql.param(cursor.id, id)})`
}

/** Matches the rows before the cursor, for lists that are sorted from newest to oldest. */
export function beforeCursor(at: PgColumn, id: PgColumn, cursor: Cursor | undefined): SQL | undefined {
  if (!cursor) return undefined
  return sql`(${at}, ${id}) < (${sql.param(cursor.at, at)}, ${sql.param(cursor.id, id)})`
}

/** Matches the rows up to and including the cursor, in a list that is sorted from oldest to newest. */
export function untilCursor(at: PgColumn, id: PgColumn, cursor: Cursor | undefined): SQL | undefined {
  if (!cursor) return undefined
  return sql`(${at}, ${id}) <= (${sql.param(cursor.at, at)}, ${sql.param(cursor.id, id)})`
}

/** Matches the rows from the cursor on, including it, in a list that is sorted from newest to oldest. */
export function downToCursor(at: PgColumn, id: PgColumn, cursor: Cursor | undefined): SQL | undefined {
  if (!cursor) return undefined
  return sql`(${at}, ${id}) >= (${sql.param(cursor.at, at)}, ${sql.param(cursor.id, id)})`
}

/** The sort order of a list: the rows that come first. */
export type SortOrder = 'oldest' | 'newest'

/**
 * The conditions and the sort function of each order: rows after a cursor, rows up to and including it, the same for a
 * time, and the sort.
 */
export const directions = {
  oldest: { behind: afterCursor, until: untilCursor, from: gte, upTo: lte, by: asc },
  newest: { behind: beforeCursor, until: downToCursor, from: lte, upTo: gte, by: desc },
} satisfies Record<SortOrder, unknown>

/** One page of an index scan. The scan may stop before it has found as many rows as requested. */
export interface Walked<Row> {
  rows: Row[]
  /** The cursor of the next page. Absent if the scan has reached the end. */
  next?: Cursor
}

/**
 * Cuts rows that were read with one more than `limit`. If that extra row is missing, the next page starts at the end of
 * the scan.
 */
export function cutPage<Row>(
  rows: Row[],
  limit: number,
  cursorOf: (row: Row) => Cursor,
  walkEnd?: Cursor,
): Walked<Row> {
  const last = rows.length > limit ? rows[limit - 1] : undefined
  const next = last ? cursorOf(last) : walkEnd
  return { rows: rows.slice(0, limit), ...(next ? { next } : {}) }
}
