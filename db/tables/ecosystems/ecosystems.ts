import { index, integer, table, text, timestamp } from '../../columns.ts'

/**
 * Ecosystems, which state who trusts whom for which credentials. All rows of an ecosystem have its id and are removed
 * with it.
 */
export const ecosystems = table(
  'ecosystems',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    name: text('name').notNull(),
    /** When data that policies and lists contain was last changed. */
    policyModifiedAt: timestamp('policy_modified_at').notNull(),
    /** Increases with each such change. A reader that finds the same revision twice has read unchanged data. */
    revision: integer('revision').notNull().default(0),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [index('ecosystems_page').on(columns.tenantId, columns.createdAt, columns.id)],
)
