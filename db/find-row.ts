import { and, eq, getTableName } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Reader } from './client.ts'
import { dialect, inRow } from './columns.ts'
import { param, prepared } from './engine/prepared.ts'

/** A table whose rows belong to tenants. The id alone is its primary key. */
export type TenantTable = PgTable & { tenantId: PgColumn; id: PgColumn }

/** The lock of PostgreSQL that a query takes on its row (hold.ts). */
export type Lock = 'update' | 'no key update' | 'key share'

/** Finds a row of the tenant by its id. */
export async function findRow<Table extends TenantTable>(
  db: Reader,
  table: Table,
  tenantId: string,
  id: string,
): Promise<Table['$inferSelect'] | undefined> {
  const [row] = await rowQuery(table)(db, { tenantId, id })
  return row
}

type RowQuery<Table extends TenantTable> = ReturnType<typeof prepared<Table['$inferSelect'][]>>

/** Queries by table. Each query is built once, and `prepared` prepares it on each connection. */
const queries = new WeakMap<TenantTable, Map<Lock | undefined, unknown>>()

/** Returns the query for a row of the table by its id. SQLite needs no lock, because it has one writer at a time. */
export function rowQuery<Table extends TenantTable>(table: Table, lock?: Lock): RowQuery<Table> {
  const ofTable = queries.get(table) ?? new Map()
  queries.set(table, ofTable)
  const query = ofTable.get(lock) ?? build(table, lock)
  ofTable.set(lock, query)
  return query
}

function build(table: TenantTable, lock: Lock | undefined) {
  const name = getTableName(table)
  // The condition on the tenant uses no index (`inRow`).
  if (!table.id.primary) throw new Error(`${name} has rows of several tenants under one id`)
  return prepared(lock ? `hold_${name}_${lock.replaceAll(' ', '_')}` : `find_${name}_row`, (tx) => {
    const row = tx
      .select()
      .from(table)
      .where(and(inRow(table.tenantId, param('tenantId')), eq(table.id, param('id'))))
    return lock && dialect === 'postgres' ? row.for(lock) : row
  })
}
