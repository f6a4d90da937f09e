import { sql } from 'drizzle-orm'
import type { Database } from '../../db/client.ts'

/** Returns the number of transactions on PostgreSQL that wait for a lock of another one. */
export async function waitingForLocks({ deps }: { deps: { db: Database } }): Promise<number> {
  const [row] = await deps.db.read
    .select({ count: sql<number>`count(*)::int` })
    .from(sql`pg_stat_activity`)
    .where(sql`datname = current_database() and wait_event_type = 'Lock'`)
  return row!.count
}
