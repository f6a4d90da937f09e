import type { BulkIssuanceRow } from '../../../db/repos/issuance/bulk/bulk-issuances.ts'
import { findKeptCells } from '../../../db/repos/issuance/bulk/bulk-rows.ts'
import { bulkKeptContext } from '../../../shared/secrets/stored-contexts.ts'
import type { Deps } from '../../deps.ts'

interface Kept {
  deps: Pick<Deps, 'db' | 'secrets'>
  bulk: BulkIssuanceRow
}

/** Adds the kept cells of the file to rows of results, by the names of their columns. */
export async function withKept<Row extends { row: number }>(
  { deps: { db, secrets }, bulk: { tenantId, id, columns } }: Kept,
  rows: Row[],
): Promise<Row[]> {
  if (!columns.kept) return rows
  const numbers = rows.map(({ row }) => row)
  const sealedCells = await findKeptCells(db.read, tenantId, id, numbers)
  return rows.map((row) => {
    const sealed = sealedCells.get(row.row)
    if (sealed === undefined) return row
    // Boundary: the validation wrote it. No kept column has the name of another member.
    const cells = JSON.parse(secrets.open(sealed, bulkKeptContext(id, row.row))) as Record<string, unknown>
    return { ...cells, ...row }
  })
}
