import { index, integer, primaryKey, table, text, timestamp } from '../../columns.ts'

/** How many issuances of a tenant ended with credentials, by the day: sums, of rows that may be gone since. */
export const issuedDays = table(
  'issued_days',
  {
    tenantId: text('tenant_id').notNull(),
    /** When the day began, in UTC. */
    day: timestamp('day').notNull(),
    issued: integer('issued').notNull(),
  },
  (columns) => [
    primaryKey({ name: 'issued_days_key', columns: [columns.tenantId, columns.day] }),
    index('issued_days_age').on(columns.day),
  ],
)
