import { and, asc, eq, getTableColumns, gt, isNotNull, like, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Reader, Writer } from '../../client.ts'
import { type SealedColumn, sealedBytesOf, storedValueOf } from '../../sealed-columns.ts'

/** A value of a `SealedColumn`. */
export interface SealedValue {
  tenantId: string
  /** The values of the columns that identify the row. */
  row: (string | number)[]
  sealed: Buffer
}

/** The values after a row, in the order of the rows. The values whose use has ended at the time `at` are left out. */
interface Page {
  after?: SealedValue['row'] | undefined
  at: Date
  limit: number
}

/** Returns sealed values of all tenants. The row of the column must be the primary key. */
export async function findSealedValues(
  db: Reader,
  column: SealedColumn,
  { after, at, limit }: Page,
): Promise<SealedValue[]> {
  const { table, row, usedUntil } = column
  const isAfter = after && sql`(${listOf(row)}) > (${listOf(after.map((value) => sql`${value}`))})`
  const rows = await db
    .select({ tenantId: tenantColumnOf(column), stored: storedIn(column), ...namedByPosition(row) })
    .from(table)
    .where(and(isAfter, isSealed(column), usedUntil && gt(usedUntil, at)))
    .orderBy(...row.map((each) => asc(each)))
    .limit(limit)
  return rows.map(({ tenantId, stored, ...values }) => ({
    // Boundary: the columns of tenants are texts, and those of primary keys texts or integers.
    tenantId: tenantId as string,
    row: Object.values(values) as SealedValue['row'],
    // Boundary: `isSealed` selects sealed values.
    sealed: sealedBytesOf(column, stored) as Buffer,
  }))
}

/** Replaces a value by the same content under another seal, if it has not changed. */
export async function replaceSealedValue(
  tx: Writer,
  column: SealedColumn,
  { tenantId, row, sealed }: SealedValue,
  resealed: Buffer,
): Promise<void> {
  const { table, form } = column
  const isRow = column.row.map((each, index) => eq(each, row[index]))
  await tx
    .update(table)
    .set({ [propertyOf(column)]: form === 'bytes' ? resealed : resealed.toString('base64url') })
    .where(and(eq(tenantColumnOf(column), tenantId), ...isRow, eq(storedIn(column), storedValueOf(column, sealed))))
}

/** The column with the tenant of a row. The row of a tenant itself has it as its id. */
function tenantColumnOf({ table, row }: SealedColumn): PgColumn {
  return getTableColumns(table).tenantId ?? row[0]
}

/** The stored value. JSON is its text. */
function storedIn({ column, form }: SealedColumn): SQL<string | Buffer> {
  return form === 'json' ? sql`cast(${column} as text)` : sql`${column}`
}

function isSealed(column: SealedColumn): SQL {
  return column.form === 'json' ? like(storedIn(column), '"%') : isNotNull(column.column)
}

const listOf = (values: readonly (PgColumn | SQL)[]): SQL => sql.join([...values], sql`, `)

function namedByPosition(columns: readonly PgColumn[]): Record<string, PgColumn> {
  return Object.fromEntries(columns.map((column, index) => [`column${index}`, column]))
}

function propertyOf({ table, column }: SealedColumn): string {
  const [property = ''] = Object.entries(getTableColumns(table)).find(([, each]) => each === column) ?? []
  return property
}
