import type { CredentialProfile } from '../../../shared/domain/issuance/profiles.ts'
import { index, table, text, timestamp, uniqueIndex } from '../../columns.ts'

/** The credential types of an ecosystem. */
export const ecosystemCredentialTypes = table(
  'ecosystem_credential_types',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    ecosystemId: text('ecosystem_id').notNull(),
    profile: text('profile').$type<CredentialProfile>().notNull(),
    type: text('type').notNull(),
    name: text('name').notNull(),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    uniqueIndex('ecosystem_credential_types_type').on(columns.ecosystemId, columns.profile, columns.type),
    index('ecosystem_credential_types_page').on(columns.tenantId, columns.ecosystemId, columns.createdAt, columns.id),
  ],
)
