import { Misconfigured } from '../../shared/process/dependency.ts'
import type { CopiedTable } from './copied-tables.ts'
import { digestOfTable } from './portions.ts'
import { type CopyProgress, rowsText } from './progress.ts'
import type { Side } from './side.ts'

/**
 * Compares the counts and digests of all tables. Returns the number of rows. Throws Misconfigured with the tables that differ. So it also
 * finds rows that a service wrote to the source between two runs of the copy.
 */
export async function compareTables(
  source: Side,
  target: Side,
  tables: readonly CopiedTable[],
  progress: CopyProgress,
): Promise<number> {
  const differences: string[] = []
  let total = 0
  for (const table of tables) {
    progress.report(`Comparing ${table.name}`)
    const [from, to] = await Promise.all([digestOfTable(source, table), digestOfTable(target, table)])
    total += to.rows
    if (from.digest === to.digest && from.rows === to.rows) continue
    const counts = from.rows === to.rows ? '' : `: ${from.rows} and ${rowsText(to.rows)}`
    differences.push(`${table.name}${counts}`)
  }
  if (differences.length === 0) return total
  throw new Misconfigured(
    `The databases differ in ${differences.join(', ')}. The source has changed during the copy, or the target was written to. Stop the service, remove the target, and copy again.`,
  )
}
