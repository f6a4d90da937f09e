import { index, integer, json, table, text, timestamp } from '../columns.ts'

/** Jobs that must run, written in the transaction that requires them. workers/jobs/relay.ts moves them to the queue. */
export const outbox = table(
  'outbox',
  {
    id: text('id').primaryKey(),
    job: text('job').notNull(),
    payload: json<unknown>('payload').notNull(),
    /** The priority of BullMQ: 1 is the most urgent, but 0 comes before 1. */
    priority: integer('priority').notNull(),
    createdAt: timestamp('created_at').notNull(),
    /** When the row becomes free again if the relay that took it died. */
    takenUntil: timestamp('taken_until').notNull(),
  },
  (columns) => [index('outbox_order').on(columns.takenUntil, columns.createdAt)],
)
