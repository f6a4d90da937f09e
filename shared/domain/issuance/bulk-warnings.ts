/** A value that is probably wrong. */
export interface RowWarning {
  column: string | null
  message: string
}

/** The same warning of one or several rows of a file. */
export interface BulkWarning extends RowWarning {
  /** The number of rows that have it. */
  rows: number
  /** The number of the first of them. */
  firstRow: number
}

/** Further warnings are left out, because the number of rows is not limited to those that a person reads. */
const maxWarnings = 20

/** Adds the warnings of a row to those of earlier rows. */
export function addWarnings(
  earlier: readonly BulkWarning[],
  row: number,
  warnings: readonly RowWarning[],
): readonly BulkWarning[] {
  if (warnings.length === 0) return earlier
  const all = new Map(earlier.map((warning) => [keyOf(warning), warning]))
  for (const warning of new Map(warnings.map((each) => [keyOf(each), each])).values()) {
    const { rows = 0, firstRow = row } = all.get(keyOf(warning)) ?? {}
    if (rows > 0 || all.size < maxWarnings) all.set(keyOf(warning), { ...warning, rows: rows + 1, firstRow })
  }
  return [...all.values()]
}

function keyOf({ column, message }: RowWarning): string {
  return JSON.stringify([column, message])
}
