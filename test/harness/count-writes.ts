import { sql } from 'drizzle-orm'
import type { Writer } from '../../db/client.ts'
import { dialect } from '../../db/columns.ts'

/** Counts the rows that the transaction has inserted, updated and deleted so far. On SQLite, it also counts earlier transactions. */
export async function countWrites(tx: Writer): Promise<number> {
  const [row] =
    dialect === 'postgres'
      ? await tx
          .select({ count: sql<number>`sum(n_tup_ins + n_tup_upd + n_tup_del)::int` })
          .from(sql`pg_stat_xact_user_tables`)
      : await tx.select({ count: sql<number>`total_changes()` }).from(sql`(SELECT 1)`)
  return row!.count
}
