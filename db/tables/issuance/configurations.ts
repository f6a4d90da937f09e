import { isNotNull, isNull } from 'drizzle-orm'
import type { CredentialProfile } from '../../../shared/domain/issuance/profiles.ts'
import { index, json, table, text, timestamp, uniqueIndex } from '../../columns.ts'

export const configurations = table(
  'configurations',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    profile: text('profile').$type<CredentialProfile>().notNull(),
    type: text('type').notNull(),
    /** Set for the CWT profiles, whose types are unique across both. Null for the others. */
    uniqueType: text('unique_type'),
    /** The scope that the operator has chosen, from the settings. Null if the service gives the scope. */
    scope: text('scope'),
    /** Depends on the profile. Read it with `findConfiguration` and the other functions of its repo. */
    settings: json<object>('settings').notNull(),
    createdAt: timestamp('created_at').notNull(),
    /** The names in the settings, for searches. Null in rows of earlier versions until a job has stored them. */
    names: json<string[]>('names'),
  },
  (columns) => [
    index('configurations_page').on(columns.tenantId, columns.profile, columns.createdAt, columns.id),
    index('configurations_type').on(columns.tenantId, columns.profile, columns.type, columns.createdAt, columns.id),
    uniqueIndex('configurations_unique_type').on(columns.tenantId, columns.uniqueType),
    // Partial, so that no other query uses it.
    uniqueIndex('configurations_scope').on(columns.tenantId, columns.scope).where(isNotNull(columns.scope)),
    index('configurations_without_names').on(columns.id).where(isNull(columns.names)),
  ],
)
