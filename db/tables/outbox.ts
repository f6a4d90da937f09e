import { index, integer, json, table, text, timestamp } from '../columns.ts'

/** Jobs that must happen, written in the transaction that makes them necessary; workers/relay.ts moves them to the queue. */
export const outbox = table(
  'outbox',
  {
    id: text('id').primaryKey(),
    job: text('job').notNull(),
    payload: json<unknown>('payload').notNull(),
    /** BullMQ's: 1 is the most urgent; 0 is before all of them. */
    priority: integer('priority').notNull(),
    createdAt: timestamp('created_at').notNull(),
    /** A relay that took the row and died lets it go at this time. */
    takenUntil: timestamp('taken_until').notNull(),
  },
  (columns) => [index('outbox_order').on(columns.takenUntil, columns.createdAt)],
)
