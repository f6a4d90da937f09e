import { bytes, index, integer, table, text, timestamp } from '../../columns.ts'

/** What verifiers read: the newest version of each list. */
export const publishedLists = table(
  'published_lists',
  {
    listId: text('list_id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    /** Rises by one with each publication. */
    version: integer('version').notNull(),
    /** Signed, byte for byte as it is served. */
    content: bytes('content').notNull(),
    /** The same as a JWT, where its format has both. */
    jwt: bytes('jwt'),
    /** Which certificate has signed it, where one did. */
    signerId: text('signer_id'),
    /** Which key of the tenant's DID has signed it, where one did; null in rows of versions that did not tell. */
    keyId: text('key_id'),
    /** For so long verifiers may keep it, where it says so. */
    ttlSeconds: integer('ttl_seconds'),
    /** What it says is true of this moment: it was taken before the entries were read. */
    issuedAt: timestamp('issued_at').notNull(),
    /** Null where its format has no end. */
    expiresAt: timestamp('expires_at'),
    /** When it is to be made anew though nothing changed. */
    renewAt: timestamp('renew_at'),
  },
  (columns) => [
    index('published_lists_tenant').on(columns.tenantId),
    index('published_lists_signer').on(columns.tenantId, columns.signerId),
    index('published_lists_renewal').on(columns.renewAt),
  ],
)
