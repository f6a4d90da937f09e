import { index, integer, table, text, timestamp } from '../../columns.ts'

/** Who trusts whom for which credentials. All that is in one has its id, and goes with it. */
export const ecosystems = table(
  'ecosystems',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    name: text('name').notNull(),
    /** When anything in it was changed last that policies and lists are made of. */
    policyModifiedAt: timestamp('policy_modified_at').notNull(),
    /** Rises with each such change: whoever read the same number twice read nothing that was changed between. */
    revision: integer('revision').notNull().default(0),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [index('ecosystems_page').on(columns.tenantId, columns.createdAt, columns.id)],
)
