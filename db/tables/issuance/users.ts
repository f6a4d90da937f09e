import { isNotNull } from 'drizzle-orm'
import type { Claims } from '../../../shared/domain/issuance/claims/claim-values.ts'
import { folded, index, json, table, text, timestamp, uniqueIndex } from '../../columns.ts'

export type { Claims }

export const users = table(
  'users',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    claims: json<Claims>('claims').notNull(),
    providerId: text('provider_id'),
    subjectId: text('subject_id'),
    /**
     * The issuer of the provider when the user got its subject. Null if a process of an older version created the user.
     */
    issuer: text('issuer'),
    /** The reference that operators gave the user, such as a customer number. It is never issued. */
    label: text('label'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    index('users_page').on(columns.tenantId, columns.createdAt, columns.id),
    // Partial, because most users have no provider. The issuer of a provider with users cannot change, so a subject is
    // also unique by issuer.
    uniqueIndex('users_subject')
      .on(columns.tenantId, columns.providerId, columns.subjectId)
      .where(isNotNull(columns.providerId)),
    index('users_label')
      .on(columns.tenantId, folded(columns.label), columns.createdAt, columns.id)
      .where(isNotNull(columns.label)),
  ],
)
