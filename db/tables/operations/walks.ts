import { boolean, table, text, timestamp } from '../../columns.ts'

/** How far a walk of upkeep through rows of all tenants has come. The next run goes on from there. */
export const walks = table('walks', {
  /** What is walked through: a table that is purged owner by owner, `session_claims`, or `deferred_issuances`. */
  id: text('id').primaryKey(),
  /** Names the row that was looked at last; empty at the beginning. */
  cursor: text('cursor').notNull(),
  startedAt: timestamp('started_at').notNull(),
  /** Something is left to be done of what this walk has passed. */
  hasLeft: boolean('has_left').notNull(),
  /** When the last walk started that left nothing. Null until there was one. */
  clearedAt: timestamp('cleared_at'),
})
