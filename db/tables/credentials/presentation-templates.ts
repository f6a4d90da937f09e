import { index, json, table, text, timestamp } from '../../columns.ts'

/** What a verifier asks holders for, again and again. */
export const presentationTemplates = table(
  'presentation_templates',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    name: text('name').notNull(),
    /** For which the holder proves; a presentation for another domain is not one for this template. */
    domain: text('domain').notNull(),
    /** As the operator wrote it. */
    query: json<{ type: string }[]>('query').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [index('presentation_templates_page').on(columns.tenantId, columns.createdAt, columns.id)],
)
