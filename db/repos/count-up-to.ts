import { count, type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Reader } from '../client.ts'

/** Counts rows up to a limit. Reads no more rows than that, along the index for `where`. */
export async function countUpTo(db: Reader, table: PgTable, where: SQL | undefined, limit: number): Promise<number> {
  const rows = db
    .select({ one: sql<number>`1`.as('one') })
    .from(table)
    .where(where)
    .limit(limit)
    .as('counted')
  const [row] = await db.select({ value: count() }).from(rows)
  return row?.value ?? 0
}
