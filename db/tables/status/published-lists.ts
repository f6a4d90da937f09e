import { bytes, index, integer, table, text, timestamp } from '../../columns.ts'

/** The newest published version of each list. */
export const publishedLists = table(
  'published_lists',
  {
    listId: text('list_id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** Increases by one with each publication. */
    version: integer('version').notNull(),
    /** The signed list, exactly as served. */
    content: bytes('content').notNull(),
    /** The same list as a JWT, if its format has both. */
    jwt: bytes('jwt'),
    /** The certificate that signed it. Null if a key of a DID signed it. */
    signerId: text('signer_id'),
    /** The key of the tenant's DID that signed it. Null if a certificate signed it, and in rows of older versions. */
    keyId: text('key_id'),
    /** The time that verifiers can cache it, if the list says so. */
    ttlSeconds: integer('ttl_seconds'),
    /** The list is correct at this time, which is read before the entries. */
    issuedAt: timestamp('issued_at').notNull(),
    /** Null if its format has no expiry. */
    expiresAt: timestamp('expires_at'),
    /** When to publish it again even if no entry has changed. */
    renewAt: timestamp('renew_at'),
  },
  (columns) => [
    index('published_lists_tenant').on(columns.tenantId),
    index('published_lists_signer').on(columns.tenantId, columns.signerId),
    index('published_lists_renewal').on(columns.renewAt),
  ],
)
