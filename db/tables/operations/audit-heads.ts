import { integer, table, text } from '../../columns.ts'

/** The last row of each tenant's chain, so that a missing one is noticed. Every tenant has a head, at first with number 0. */
export const auditHeads = table('audit_heads', {
  tenantId: text('tenant_id').primaryKey(),
  number: integer('number').notNull(),
  hash: text('hash').notNull(),
})
