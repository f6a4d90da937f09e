import { index, integer, table, text, timestamp } from '../../columns.ts'

/**
 * The last row of the audit of each tenant, which reveals a missing row. Each tenant has a head. The first head has the
 * number 0.
 */
export const auditHeads = table(
  'audit_heads',
  {
    tenantId: text('tenant_id').primaryKey(),
    number: integer('number').notNull(),
    hash: text('hash').notNull(),
    /** The size of the last checkpoint, or 0. */
    checkpointSize: integer('checkpoint_size').notNull().default(0),
    /** Null before the first checkpoint. */
    checkpointedAt: timestamp('checkpointed_at'),
  },
  (columns) => [index('audit_heads_checkpointed').on(columns.checkpointedAt)],
)
