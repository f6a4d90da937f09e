import { type SQL, sql } from 'drizzle-orm'
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
