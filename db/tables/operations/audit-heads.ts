import { integer, table, text } from '../../columns.ts'

/**
 * The last row of the audit of each tenant, which reveals a missing row. Each tenant has a head. The first head has the
 * number 0.
 */
export const auditHeads = table('audit_heads', {
  tenantId: text('tenant_id').primaryKey(),
  number: integer('number').notNull(),
  hash: text('hash').notNull(),
})
