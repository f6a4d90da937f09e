import { softwareProvider } from '../../../shared/domain/identifiers/key-policy.ts'
import type { BlsPublicJwk } from '../../../shared/formats/did-key.ts'
import type { PublicJwk } from '../../../shared/formats/jwk.ts'
import { bytes, index, json, table, text, timestamp } from '../../columns.ts'

/** The owner of a key: the tenant itself, or one of its DIDs, certificates or access certificates. */
export type KeyOwnerKind = 'tenant' | 'did' | 'certificate' | 'access-certificate'
export type KeyPurpose = 'did' | 'webhook' | 'token' | 'encryption' | 'audit' | 'client-assertion' | 'certificate'
/** `ECDH-ES` is a P-256 key that decrypts. */
export type KeyAlgorithm = 'ES256' | 'Ed25519' | 'X25519' | 'Bls12381G2' | 'ECDH-ES'

/**
 * Keys, whose private part is wrapped so that only the signing process can use it, or is in another provider (workers/signing/keys). `id` is
 * the public key id: the `kid` of the JWKs and the fragment of the verification methods in the DID document.
 */
export const keys = table(
  'keys',
  {
    id: text('id').primaryKey(),
    tenantId: text('tenant_id').notNull(),
    ownerKind: text('owner_kind').$type<KeyOwnerKind>().notNull().default('tenant'),
    /** The id of the DID, certificate or access certificate. Empty for the tenant itself. */
    ownerId: text('owner_id').notNull().default(''),
    purpose: text('purpose').$type<KeyPurpose>().notNull(),
    algorithm: text('algorithm').$type<KeyAlgorithm>().notNull(),
    /** Public members only. */
    publicJwk: json<PublicJwk | BlsPublicJwk>('public_jwk').notNull(),
    /** Empty for a key of another provider. */
    wrappedPrivateKey: bytes('wrapped_private_key').notNull(),
    /**
     * The name of the key-encryption key (workers/signing/keys/keyring.ts). Null in rows of older versions. Empty for a key of another
     * provider, so that nothing that opens or wraps keys reads it.
     */
    wrappedUnder: text('wrapped_under'),
    /** `software`, `pkcs11` or `remote:<name>`. */
    provider: text('provider').notNull().default(softwareProvider),
    /** The name of the private key in another provider: an RFC 7512 URI, or the id of the remote key. Null for a wrapped key. */
    handle: text('handle'),
    createdAt: timestamp('created_at').notNull(),
    /**
     * When a rotated key stopped signing. It stays published until `publishedUntil`. A key of `encryption` decrypts
     * until then.
     */
    retiredAt: timestamp('retired_at'),
    /**
     * Null means without end. A key of the tenant's DID has it from its creation. It moves with what the key signs
     * (workers/signing/key-terms.ts). A key of another purpose gets it when it is retired.
     */
    publishedUntil: timestamp('published_until'),
  },
  (columns) => [
    index('keys_owner').on(columns.tenantId, columns.ownerKind, columns.ownerId, columns.purpose, columns.createdAt),
    // Lists sort by the time of creation.
    index('keys_listed').on(columns.tenantId, columns.createdAt, columns.id),
    index('keys_wrapped_under').on(columns.wrappedUnder, columns.id),
  ],
)
