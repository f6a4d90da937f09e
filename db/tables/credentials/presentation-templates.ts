import { index, json, table, text, timestamp } from '../../columns.ts'

/** Reusable presentation requests of a verifier. */
export const presentationTemplates = table(
  'presentation_templates',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    name: text('name').notNull(),
    /** The domain in the proof of the holder. A presentation for another domain is refused. */
    domain: text('domain').notNull(),
    /** The query as the operator wrote it. */
    query: json<{ type: string }[]>('query').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [index('presentation_templates_page').on(columns.tenantId, columns.createdAt, columns.id)],
)
