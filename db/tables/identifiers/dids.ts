import { sql } from 'drizzle-orm'
import type { DidDocument } from '../../../shared/formats/did-document.ts'
import { index, json, table, text, timestamp, uniqueIndex } from '../../columns.ts'

export type DidMethod = 'key' | 'web'
/** The key types of a did:key. */
export type DidKeyType = 'Ed25519' | 'Bls12381G2'

/** Maps a key of a DID document to its row. */
export interface DocumentedKey {
  /** The DID URL of the verification method. */
  didDocumentKeyId: string
  keyId: string
}

/**
 * The DIDs that operators created. The tenant's own DID is in `tenants`. A row exists before its content. The signing
 * process then creates the keys and the document. The keys are in `keys`, with the owner kind `did`.
 */
export const dids = table(
  'dids',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    method: text('method').$type<DidMethod>().notNull(),
    /** The type of the key of a did:key. Null for a did:web, which has four keys. */
    keyType: text('key_type').$type<DidKeyType>(),
    /** Null for a did:key without a key. */
    did: text('did'),
    /** The document that was created with the keys. */
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
