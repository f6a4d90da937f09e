import type { DidProfile } from '../../../shared/domain/issuance/profiles.ts'
import { index, table, text, timestamp } from '../../columns.ts'

/**
 * The credentials that operators had signed directly, without OpenID4VCI: whether they are revoked is in `status_entries`, what
 * they say nowhere, or in `stored_credentials`. The id is made by who asks; one that was called off before it was signed has a
 * row too, so that it never will be.
 */
export const signedCredentials = table(
  'signed_credentials',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    profile: text('profile').$type<DidProfile>().notNull(),
    issuedAt: timestamp('issued_at').notNull(),
    /** Nobody was answered with it: it is none. */
    calledOffAt: timestamp('called_off_at'),
  },
  (columns) => [
    // For what is done to all of a time: a bulk change of statuses walks it.
    index('signed_credentials_issued').on(columns.tenantId, columns.issuedAt, columns.id),
    index('signed_credentials_called_off').on(columns.calledOffAt),
  ],
)
