import { index, integer, primaryKey, table, text, timestamp } from '../../columns.ts'

/** The number of successful issuances per tenant and day. The issuances themselves can be purged. */
export const issuedDays = table(
  'issued_days',
  {
    tenantId: text('tenant_id').notNull(),
    /** The start of the day in UTC. */
    day: timestamp('day').notNull(),
    issued: integer('issued').notNull(),
  },
  (columns) => [
    primaryKey({ name: 'issued_days_key', columns: [columns.tenantId, columns.day] }),
    index('issued_days_age').on(columns.day),
  ],
)
