import { createTableDigest } from '../copy/portions.ts'
import { type CopyProgress, rowsText } from '../copy/progress.ts'
import { type MoveSummary, writePortion, writeSummary } from './move-file.ts'
import { findAuditEnd, movedPortions, type TenantRows } from './moved-rows.ts'
import { tablesOfMove } from './moved-tables.ts'

export interface TenantExport extends TenantRows {
  /** Writes the text of the next line. */
  write(text: string, position: 'inside' | 'last'): Promise<void>
  progress: CopyProgress
}

/**
 * Writes all rows of a tenant, table by table, and then the counts and digests of the tables. The side must be a snapshot. Memory is
 * bounded by a portion. Throws Misconfigured for a sealed value that cannot be opened.
 */
export async function exportTenant({ write, progress, ...rows }: TenantExport): Promise<MoveSummary> {
  const tables: MoveSummary['tables'] = []
  for (const table of tablesOfMove()) {
    const digest = createTableDigest()
    for await (const portion of movedPortions(rows, table)) {
      digest.add(portion.rows)
      await write(writePortion(portion), 'inside')
      progress.report(`${table.name}: ${rowsText(digest.result().rows)}`)
    }
    tables.push({ name: table.name, ...digest.result() })
  }
  const summary = { tables, audit: await findAuditEnd(rows) }
  await write(writeSummary(summary), 'last')
  return summary
}

/** Returns the number of rows of all tables. */
export function countRows({ tables }: MoveSummary): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0)
}
