import type { SignableProfile } from '../../../shared/domain/issuance/profiles.ts'
import { index, table, text, timestamp } from '../../columns.ts'

/**
 * The credentials that operators had signed directly, without OpenID4VCI. `status_entries` has their status.
 * `stored_credentials` has their content if it is stored at all. The requester chooses the id. A credential that was
 * cancelled before it was signed has a row too, which prevents its signature.
 */
export const signedCredentials = table(
  'signed_credentials',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    profile: text('profile').$type<SignableProfile>().notNull(),
    issuedAt: timestamp('issued_at').notNull(),
    /** Set if no caller received the credential. It is then treated as not issued. */
    cancelledAt: timestamp('called_off_at'),
    /** The certificate of the signer, or the key of the DID, that signed it. Null if it was cancelled first, and in rows of earlier versions. */
    signerId: text('signer_id'),
  },
  (columns) => [
    // A bulk change of statuses walks all credentials of a period.
    index('signed_credentials_issued').on(columns.tenantId, columns.issuedAt, columns.id),
    index('signed_credentials_called_off').on(columns.cancelledAt),
  ],
)
