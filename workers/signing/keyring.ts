import { createPrivateKey, createPublicKey, createSecretKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Reader } from '../../db/client.ts'
import { findKey, type KeyOwner, type KeyRow, type KeyUse } from '../../db/repos/identifiers/keys.ts'
import type { KeyAlgorithm } from '../../db/tables/identifiers/keys.ts'
import { agreementKeyOf } from '../../shared/formats/agreement-key.ts'
import { generateBlsKeyPair } from '../../shared/formats/bls.ts'
import { publicJwk } from '../../shared/formats/jwk.ts'
import { newId, newKeyId } from '../../shared/ids.ts'
import { openWith, sealWith } from '../../shared/secrets.ts'

export interface SigningKey {
  id: string
  algorithm: KeyAlgorithm
  privateKey: KeyObject
  publicKey: KeyObject
}

/**
 * The only place where private keys are in clear. They are stored wrapped (AES-256-GCM; tenant, id, purpose and owner are
 * bound as associated data, so that a row cannot be passed off as another's) under a key that no other process has. Which
 * key is used is decided by whoever asks.
 */
export interface Keyring {
  /** A new key, as a row that is ready to be stored. */
  newKey(wanted: { tenantId: string; owner: KeyOwner; id?: string } & KeyUse, at: Date): KeyRow
  /** The key of X25519 that follows from one of Ed25519, as a row of the same owner. */
  agreementKeyOf(row: KeyRow): KeyRow
  /** The key of an id. Read once, and kept. Throws when the tenant has none of that id. */
  key(db: Reader, tenantId: string, id: string): Promise<SigningKey>
  /** The key of a row that was read already. */
  open(row: KeyRow): SigningKey
}

/** `keyEncryptionKeys`: the first wraps, all of them open. */
export function createKeyring(keyEncryptionKeys: Buffer[]): Keyring {
  const opened = new LRUCache<string, SigningKey>({ max: 2_000 })
  const wrappingKeys = keyEncryptionKeys.map((key) => createSecretKey(key))
  const [wrappingKey] = wrappingKeys
  if (!wrappingKey) throw new Error('there is no key-encryption key')

  const nameOf = (tenantId: string, id: string) => `${tenantId} ${id}`

  function open(row: KeyRow): SigningKey {
    const name = nameOf(row.tenantId, row.id)
    const known = opened.get(name)
    if (known) return known
    const privateKey = createPrivateKey({ key: unwrap(row, wrappingKeys), format: 'der', type: 'pkcs8' })
    const key = { id: row.id, algorithm: row.algorithm, privateKey, publicKey: createPublicKey(privateKey) }
    opened.set(name, key)
    return key
  }

  const rowOf = (
    named: Omit<Named, 'id'> & { id?: string } & KeyUse,
    { publicJwk, privateBytes }: Generated,
    at: Date,
  ): KeyRow => {
    // What the interface shows of the keys of DIDs are UUIDs; others are short, because signatures carry them.
    const id = named.id ?? (named.ownerKind === 'did' ? newId() : newKeyId())
    const wrappedPrivateKey = sealWith(wrappingKey, privateBytes, bindingOf({ ...named, id }))
    // One of the tenant's DID has signed nothing yet.
    const publishedUntil = named.ownerKind === 'tenant' && named.purpose === 'did' ? at : null
    const times = { createdAt: at, retiredAt: null, publishedUntil }
    return { ...named, id, publicJwk, wrappedPrivateKey, wrappedUnder: null, ...times }
  }

  return {
    newKey: ({ owner, ...wanted }, at) =>
      rowOf({ ...wanted, ownerKind: owner.kind, ownerId: owner.id }, generate(wanted.algorithm), at),
    agreementKeyOf(row) {
      const { tenantId, ownerKind, ownerId, purpose, createdAt } = row
      const made = keyPairOf(agreementKeyOf(open(row).privateKey))
      return rowOf({ tenantId, ownerKind, ownerId, purpose, algorithm: 'X25519' }, made, createdAt)
    },
    async key(db, tenantId, id) {
      const known = opened.get(nameOf(tenantId, id))
      if (known) return known
      const row = await findKey(db, tenantId, id)
      if (!row) throw new Error(`tenant ${tenantId} has no key ${id}`)
      return open(row)
    },
    open,
  }
}

interface Generated {
  publicJwk: KeyRow['publicJwk']
  privateBytes: Buffer
}

function generate(algorithm: KeyAlgorithm): Generated {
  if (algorithm === 'Bls12381G2') {
    const { publicKey, privateKey } = generateBlsKeyPair()
    const x = Buffer.from(publicKey).toString('base64url')
    return { publicJwk: { kty: 'OKP', crv: 'Bls12381G2', x }, privateBytes: Buffer.from(privateKey) }
  }
  return keyPairOf(generateKeyPair(algorithm).privateKey)
}

function keyPairOf(privateKey: KeyObject): Generated {
  const privateBytes = privateKey.export({ format: 'der', type: 'pkcs8' })
  return { publicJwk: publicJwk(createPublicKey(privateKey)), privateBytes }
}

function generateKeyPair(algorithm: Exclude<KeyAlgorithm, 'Bls12381G2'>) {
  if (algorithm === 'ES256' || algorithm === 'ECDH-ES') return generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return algorithm === 'Ed25519' ? generateKeyPairSync('ed25519') : generateKeyPairSync('x25519')
}

function unwrap(row: KeyRow, wrappingKeys: KeyObject[]): Buffer {
  for (const key of wrappingKeys) {
    try {
      return openWith(key, row.wrappedPrivateKey, bindingOf(row))
    } catch {
      // wrapped under another of the keys
    }
  }
  throw new Error(`no key-encryption key opens key ${row.id}`)
}

type Named = Pick<KeyRow, 'tenantId' | 'id' | 'ownerKind' | 'ownerId' | 'purpose'>

/** The tenant's own keys are bound as they were when there were no others. */
function bindingOf({ tenantId, id, ownerKind, ownerId, purpose }: Named): string {
  const owner = ownerKind === 'tenant' ? [] : [ownerKind, ownerId]
  return [tenantId, id, purpose, ...owner].join(' ')
}
