import { asc, desc, gte, lte, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'

/** Where a page ended: creation time and id of its last row. */
export interface Cursor {
  at: Date
  id: string
}

/** The rows after the cursor, oldest first. Undefined for the first page. One index range on both databases. */
export function afterCursor(at: PgColumn, id: PgColumn, cursor: Cursor | undefined): SQL | undefined {
  if (!cursor) return undefined
  return sql`(${at}, ${id}) > (${sql.param(cursor.at, at)}, ${sql.param(cursor.id, id)})`
}

/** The rows before the cursor, for lists that run from the newest to the oldest. */
export function beforeCursor(at: PgColumn, id: PgColumn, cursor: Cursor | undefined): SQL | undefined {
  if (!cursor) return undefined
  return sql`(${at}, ${id}) < (${sql.param(cursor.at, at)}, ${sql.param(cursor.id, id)})`
}

/** The rows up to the cursor and with it, in a list that runs from the oldest to the newest. */
export function untilCursor(at: PgColumn, id: PgColumn, cursor: Cursor | undefined): SQL | undefined {
  if (!cursor) return undefined
  return sql`(${at}, ${id}) <= (${sql.param(cursor.at, at)}, ${sql.param(cursor.id, id)})`
}

/** The rows from the cursor on and with it, in a list that runs from the newest to the oldest. */
export function downToCursor(at: PgColumn, id: PgColumn, cursor: Cursor | undefined): SQL | undefined {
  if (!cursor) return undefined
  return sql`(${at}, ${id}) >= (${sql.param(cursor.at, at)}, ${sql.param(cursor.id, id)})`
}

/** Which rows of a list are first. */
export type Order = 'oldest' | 'newest'

/** How a list runs: what comes behind a cursor, what up to it and with it, the same of a time and with it, and how it is sorted. */
export const directions = {
  oldest: { behind: afterCursor, until: untilCursor, from: gte, upTo: lte, by: asc },
  newest: { behind: beforeCursor, until: downToCursor, from: lte, upTo: gte, by: desc },
} satisfies Record<Order, unknown>

/** One page of a walk through an index, which may end before it has found as many rows as were asked for. */
export interface Walked<Row> {
  rows: Row[]
  /** Where the next page starts; absent when there is nothing more to look at. */
  next?: Cursor
}

/** Cuts rows that were read with one more than `limit`; without that one, the next page starts where the walk ended. */
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
