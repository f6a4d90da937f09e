import type { CopiedTable } from '../copy/copied-tables.ts'
import type { CopiedRow } from '../copy/side.ts'

/** Converts the values that the secrets of an installation seal. */
export interface RowValues {
  /** Returns a row with these values opened. Throws Misconfigured for a value that cannot be opened. */
  open(table: CopiedTable, row: CopiedRow): Promise<CopiedRow>
  /** Returns a row of `open` with these values sealed by the secrets of this installation. */
  seal(table: CopiedTable, row: CopiedRow): Promise<CopiedRow>
}
