import { boolean, table, text, timestamp } from '../../columns.ts'

/** The progress of each walk of upkeep through the rows of all tenants. The next run continues from there. */
export const walks = table('walks', {
  /** The name of the walk: a table that is purged per owner, `session_claims`, `deferred_issuances` or `expired_offers`. */
  id: text('id').primaryKey(),
  /** Identifies the last row that was processed. Empty at the start. */
  cursor: text('cursor').notNull(),
  startedAt: timestamp('started_at').notNull(),
  /** Whether this walk has left work behind its cursor. */
  hasLeft: boolean('has_left').notNull(),
  /** When the last walk that left no work started. Null until there was one. */
  clearedAt: timestamp('cleared_at'),
})
