import { and, eq, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Reader } from '../client.ts'
import { type Cursor, directions, type SortOrder } from '../page.ts'

type ListedTable = PgTable & { tenantId: PgColumn; id: PgColumn; createdAt: PgColumn }

/**
 * Returns a page of the rows of a tenant, oldest first by default, and one additional row if there are more.
 * `condition` filters the rows.
 */
export async function listPage<Table extends ListedTable>(
  db: Reader,
  table: Table,
  tenantId: string,
  { limit, cursor, order = 'oldest' }: { limit: number; cursor?: Cursor | undefined; order?: SortOrder },
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
