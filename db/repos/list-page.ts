import { and, eq, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Reader } from '../client.ts'
import { type Cursor, directions, type Order } from '../page.ts'

type ListedTable = PgTable & { tenantId: PgColumn; id: PgColumn; createdAt: PgColumn }

/** A page of a tenant's rows, oldest first unless told otherwise, and one row more where there are more. `condition` leaves some out. */
export async function listPage<Table extends ListedTable>(
  db: Reader,
  table: Table,
  tenantId: string,
  { limit, cursor, order = 'oldest' }: { limit: number; cursor?: Cursor | undefined; order?: Order },
  condition?: SQL,
): Promise<Table['$inferSelect'][]> {
  const listed: ListedTable = table
  const { behind, by } = directions[order]
  return db
    .select()
    .from(listed)
    .where(and(eq(listed.tenantId, tenantId), condition, behind(listed.createdAt, listed.id, cursor)))
    .orderBy(by(listed.createdAt), by(listed.id))
    .limit(limit + 1)
}
