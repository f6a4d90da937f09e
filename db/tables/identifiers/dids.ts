import { sql } from 'drizzle-orm'
import type { DidDocument } from '../../../shared/formats/did-document.ts'
import { index, json, table, text, timestamp, uniqueIndex } from '../../columns.ts'

export type DidMethod = 'key' | 'web'
/** Of which a did:key can be. */
export type DidKeyType = 'Ed25519' | 'Bls12381G2'

/** Which key row is behind a key of a document. */
export interface DocumentedKey {
  /** The DID URL of the verification method. */
  didDocumentKeyId: string
  keyId: string
}

/**
 * The DIDs that operators made; the tenant's own is in its row. A row is there before its content: the signing process
 * makes keys and document. Their keys are those of the owner `did`.
 */
export const dids = table(
  'dids',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    method: text('method').$type<DidMethod>().notNull(),
    /** Of a did:key; null for a did:web, which has four. */
    keyType: text('key_type').$type<DidKeyType>(),
    /** Null for a did:key whose key is not made. */
    did: text('did'),
    /** As it was when the keys were made. */
    document: json<DidDocument>('document'),
    documentedKeys: json<DocumentedKey[]>('documented_keys'),
    createdAt: timestamp('created_at').notNull(),
  },
  (columns) => [
    uniqueIndex('dids_did').on(columns.tenantId, columns.did),
    index('dids_page').on(columns.tenantId, columns.createdAt, columns.id),
    index('dids_unmade').on(columns.createdAt).where(sql`${columns.document} is null`),
  ],
)
