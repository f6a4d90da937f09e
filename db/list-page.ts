import { and, asc, eq, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Reader } from './client.ts'
import { afterCursor, type Cursor } from './page.ts'

type ListedTable = PgTable & { tenantId: PgColumn; id: PgColumn; createdAt: PgColumn }

/** A page of a tenant's rows, oldest first, and one row more where there are more. `condition` leaves some out. */
export async function listPage<Table extends ListedTable>(
  db: Reader,
  table: Table,
  tenantId: string,
  { limit, cursor }: { limit: number; cursor?: Cursor | undefined },
  condition?: SQL,
): Promise<Table['$inferSelect'][]> {
  const listed: ListedTable = table
  return db
    .select()
    .from(listed)
    .where(and(eq(listed.tenantId, tenantId), condition, afterCursor(listed.createdAt, listed.id, cursor)))
    .orderBy(asc(listed.createdAt), asc(listed.id))
    .limit(limit + 1)
}
