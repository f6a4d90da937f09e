import type { CopiedTable } from '../copy/copied-tables.ts'
import { createTableDigest, portionsOf, type TableDigest } from '../copy/portions.ts'
import type { CopiedRow, CopiedValue, Side } from '../copy/side.ts'
import type { MovePortion, MoveSummary } from './move-file.ts'
import { rowsOfTenant } from './moved-tables.ts'
import type { RowValues } from './row-values.ts'

/** A tenant in a database, with the secrets of its installation. */
export interface TenantRows {
  side: Side
  tenantId: string
  values: RowValues
}

/** Yields the rows of the tenant in a table as they move: opened, and the tenant active. */
export async function* movedPortions(
  { side, tenantId, values }: TenantRows,
  table: CopiedTable,
): AsyncGenerator<MovePortion> {
  for await (const { rows } of portionsOf(side, table, { filter: rowsOfTenant(table, tenantId) })) {
    const moved: CopiedRow[] = []
    for (const row of rows) moved.push(withValue(table, await values.open(table, row), 'tenants', 'state', 'active'))
    yield { table, rows: moved }
  }
}

/** Returns the row with another value in a column of the table `name`. */
function withValue(table: CopiedTable, row: CopiedRow, name: string, column: string, value: CopiedValue): CopiedRow {
  if (table.name !== name) return row
  return table.columns.map((each, index) => (each.name === column ? value : (row[index] ?? null)))
}

/** Computes the digest of the rows of the tenant in a table, as they move. */
export async function digestOfMoved(rows: TenantRows, table: CopiedTable): Promise<TableDigest> {
  const digest = createTableDigest()
  for await (const portion of movedPortions(rows, table)) digest.add(portion.rows)
  return digest.result()
}

/** Reads the end of the audit of the tenant. */
export async function findAuditEnd({ side, tenantId }: TenantRows): Promise<MoveSummary['audit']> {
  const tenant = `tenant_id = ${side.syntax.parameter('text', 1)}`
  const [head] = await side.query(`SELECT number, hash FROM audit_heads WHERE ${tenant}`, [tenantId])
  const checkpoints = `SELECT note FROM audit_checkpoints WHERE ${tenant} ORDER BY size DESC LIMIT 1`
  const [checkpoint] = await side.query(checkpoints, [tenantId])
  return {
    rows: Number(head?.[0] ?? 0),
    hash: String(head?.[1] ?? ''),
    checkpoint: checkpoint ? String(checkpoint[0]) : null,
  }
}
