import { type Column, eq, getTableColumns, getTableName, is, Table } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Database } from '../../db/client.ts'
import { movedTables } from '../../db/moves/moved-tables.ts'
import * as schema from '../../db/schema.ts'
import { serviceSealedColumns } from '../../db/sealed-columns.ts'
import type { Secrets } from '../../shared/secrets/secrets.ts'

/** No job is due before it. */
const future = new Date('2100-01-01T00:00:00Z')

/** Inserts a row of a tenant in each table that moves and has none, with a value in each column, sealed where the column is. */
export async function fillTables(db: Database, tenantId: string, secrets: Secrets): Promise<void> {
  const tables = Object.values(schema)
    // Boundary: the tables have the types of PostgreSQL for the type checker.
    .filter((each) => is(each, Table))
    .map((each) => each as unknown as PgTable & { tenantId: Column })
    .filter((table) => movedTables.includes(getTableName(table)) && 'tenantId' in table)
  for (const table of tables) {
    const rows = await db.read.select().from(table).where(eq(table.tenantId, tenantId)).limit(1)
    if (rows.length === 0)
      await db.tx(async (tx) => void (await tx.insert(table).values(rowOf(table, tenantId, secrets))))
  }
}

function rowOf(table: PgTable, tenantId: string, secrets: Secrets): Record<string, unknown> {
  const columns: [string, Column][] = Object.entries(getTableColumns(table))
  const values = new Map(
    columns.map(([, column]) => [column.name, column.name === 'tenant_id' ? tenantId : sampleOf(column)]),
  )
  for (const sealed of serviceSealedColumns.filter((each) => getTableName(each.table) === getTableName(table))) {
    const identity = sealed.row.map(({ name }) => String(values.get(name)))
    const bytes = secrets.sealBytes(Buffer.from('sealed'), sealed.contextOf(...identity))
    values.set(sealed.column.name, sealed.form === 'bytes' ? bytes : bytes.toString('base64url'))
  }
  return Object.fromEntries(columns.map(([member, { name }]) => [member, values.get(name)]))
}

function sampleOf(column: Column): unknown {
  const { name, dataType } = column
  if (dataType === 'string') return `the ${name} of a row`
  if (dataType === 'number') return 1
  if (dataType === 'boolean') return true
  if (dataType === 'date') return future
  return /^(bytea|blob)$/.test(column.getSQLType()) ? Buffer.from([0, 255]) : { text: 'ü' }
}
