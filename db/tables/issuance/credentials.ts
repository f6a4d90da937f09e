import type { CredentialProfile } from '../../../shared/domain/issuance/profiles.ts'
import type { PublicJwk } from '../../../shared/formats/jwk.ts'
import type { NamespaceDigests } from '../../../shared/formats/mdoc/issuer-signed.ts'
import { index, integer, json, table, text, timestamp, uniqueIndex } from '../../columns.ts'

export type CredentialStatus = 'valid' | 'invalid' | 'suspended'

/** The metadata of issued credentials, without claim values (decisions: users). */
export const credentials = table(
  'credentials',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    userId: text('user_id').notNull(),
    issuanceId: text('issuance_id').notNull(),
    profile: text('profile').$type<CredentialProfile>().notNull(),
    type: text('type').notNull(),
    offerId: text('offer_id'),
    sessionId: text('session_id').notNull(),
    configurationId: text('configuration_id').notNull(),
    /** The key of the holder. Null: the credential is not bound to a key. */
    devicePublicKey: json<PublicJwk>('device_public_key'),
    status: text('status').$type<CredentialStatus>().notNull(),
    issuedAt: timestamp('issued_at').notNull(),
    validFrom: timestamp('valid_from').notNull(),
    validUntil: timestamp('valid_until'),
    /** The digests of the elements of an mdoc, by namespace. */
    namespaces: json<NamespaceDigests>('namespaces'),
    /** SHA-256 of the mobile security object of an mdoc, base64url. */
    msoHash: text('mso_hash'),
    position: integer('position').notNull(),
    /** The certificate of the signer, or the key of the DID, that signed it. Null in rows of earlier versions. */
    signerId: text('signer_id'),
    /** The view through which the wallet collected it (db/tables/issuance/views.ts). */
    viewId: text('view_id'),
  },
  (columns) => [
    index('credentials_page').on(columns.tenantId, columns.userId, columns.issuedAt, columns.id),
    // A bulk change of statuses walks all credentials of a configuration or of a period.
    index('credentials_configuration').on(columns.tenantId, columns.configurationId, columns.issuedAt, columns.id),
    uniqueIndex('credentials_issuance').on(columns.issuanceId, columns.position),
  ],
)
