import type { BlsPublicJwk } from '../../../shared/formats/did-key.ts'
import type { PublicJwk } from '../../../shared/formats/jwk.ts'
import { bytes, index, json, table, text, timestamp } from '../../columns.ts'

/** Whose a key is: the tenant's own, or that of a DID or a certificate of the tenant's. */
export type KeyOwnerKind = 'tenant' | 'did' | 'certificate'
export type KeyPurpose = 'did' | 'webhook' | 'token' | 'encryption' | 'certificate'
/** `ECDH-ES` is a key of P-256 that opens what was encrypted for it. */
export type KeyAlgorithm = 'ES256' | 'Ed25519' | 'X25519' | 'Bls12381G2' | 'ECDH-ES'

/**
 * Private keys, wrapped for the signing process alone (see workers/signing/keyring.ts). `id` is the public key id: the
 * `kid` of the JWKs and the fragment of the DID document's verification methods.
 */
export const keys = table(
  'keys',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    ownerKind: text('owner_kind').$type<KeyOwnerKind>().notNull().default('tenant'),
    /** Of the DID or certificate; empty for the tenant itself. */
    ownerId: text('owner_id').notNull().default(''),
    purpose: text('purpose').$type<KeyPurpose>().notNull(),
    algorithm: text('algorithm').$type<KeyAlgorithm>().notNull(),
    /** Public members only. */
    publicJwk: json<PublicJwk | BlsPublicJwk>('public_jwk').notNull(),
    wrappedPrivateKey: bytes('wrapped_private_key').notNull(),
    /** By the name of the key-encryption key (workers/signing/keyring.ts); null in rows of versions that did not tell. */
    wrappedUnder: text('wrapped_under'),
    createdAt: timestamp('created_at').notNull(),
    /** When a rotated key stopped signing. It stays published until `publishedUntil`; one of `encryption` opens until then. */
    retiredAt: timestamp('retired_at'),
    /**
     * Null: for good. A key of the tenant's DID has it from the beginning, and it moves with what the key signs
     * (workers/signing/key-terms.ts); keys of other purposes are given it when they are retired.
     */
    publishedUntil: timestamp('published_until'),
  },
  (columns) => [
    index('keys_owner').on(columns.tenantId, columns.ownerKind, columns.ownerId, columns.purpose, columns.createdAt),
    index('keys_wrapped_under').on(columns.wrappedUnder, columns.id),
  ],
)
