import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'

/**
 * Says how long the rows of a table are stored and with which owners they are removed. Each of these columns has an
 * index.
 */
export interface RetentionRule {
  table: PgTable
  /** The tenant of a row. Rows are removed with their tenant. */
  tenant?: PgColumn
  /** The user of a row. Rows are erased with their user. */
  user?: PgColumn
  /** The row of another table that a row depends on. `by` has its id. The row is removed with its owner. */
  with?: { owner: PgTable; by: PgColumn }
  /** Rows are purged `afterMs` after the time in `by`. */
  ages?: { by: PgColumn; afterMs: number }
  /** Removal of one row takes as long as that of this many rows of other tables. */
  weight?: number
  /** The reason why the table lacks a rule that its columns suggest. */
  exception?: string
}
