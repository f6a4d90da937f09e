import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
} from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Reader } from '../../db/client.ts'
import { findKey, type KeyOwner, type KeyRow, type KeyUse } from '../../db/repos/identifiers/keys.ts'
import type { KeyAlgorithm } from '../../db/tables/identifiers/keys.ts'
import { agreementKeyOf } from '../../shared/formats/agreement-key.ts'
import { generateBlsKeyPair } from '../../shared/formats/bls.ts'
import { publicJwk } from '../../shared/formats/jwk.ts'
import { newId, newKeyId } from '../../shared/ids.ts'
import { createSealer, type SealContext, type Sealer, type SealFormat } from '../../shared/secrets/sealing.ts'
import { privateKeyContext } from '../../shared/secrets/stored-contexts.ts'

export interface SigningKey {
  id: string
  algorithm: KeyAlgorithm
  privateKey: KeyObject
  publicKey: KeyObject
}

/**
 * Creates and opens private keys, which are unencrypted only here. They are stored wrapped with keys that are derived from one that no
 * other process has. Tenant, id, purpose and owner are associated data, so that a row cannot be used as the row of another owner.
 */
export interface Keyring {
  /** Creates a key and returns its row. */
  newKey(description: { tenantId: string; owner: KeyOwner; id?: string } & KeyUse, at: Date): KeyRow
  /** Derives the X25519 key of an Ed25519 key and returns a row of the same owner. */
  agreementKeyOf(row: KeyRow): KeyRow
  /** Returns the key of an id, from a cache if possible. Throws if the tenant has no such key. */
  key(db: Reader, tenantId: string, id: string): Promise<SigningKey>
  /** Opens the key of a row. */
  open(row: KeyRow): SigningKey
  /** The names of the key-encryption keys, which reveal nothing about them. The first wraps. */
  readonly keyEncryptionKeys: readonly string[]
  /** Returns whether a key-encryption key opens the private key of a row. */
  opens(row: KeyRow): boolean
  /** Wraps the private key of a row under the first key-encryption key. Returns undefined if none of them opens it. */
  rewrap(row: KeyRow): Wrapping | undefined
  /** Returns the bytes of a wrapped private key, for a move to another installation. Throws if no key-encryption key opens them. */
  unwrap(wrapped: Buffer, context: SealContext): Buffer
  /** Wraps the result of `unwrap` of another installation under the first key-encryption key. */
  wrap(privateBytes: Buffer, context: SealContext): Buffer
}

export type Wrapping = Pick<KeyRow, 'wrappedPrivateKey' | 'wrappedUnder'>

/** Creates a keyring. The first key-encryption key wraps, all of them open. */
export function createKeyring(keyEncryptionKeys: Buffer[], format: SealFormat = 2): Keyring {
  const opened = new LRUCache<string, SigningKey>({ max: 2_000 })
  const wrappers = keyEncryptionKeys.map((secret) => wrapperOf(secret, format))
  const [wrapper] = wrappers
  if (!wrapper) throw new Error('a keyring needs a key-encryption key')

  const nameOf = (tenantId: string, id: string) => `${tenantId} ${id}`

  function open(row: KeyRow): SigningKey {
    const name = nameOf(row.tenantId, row.id)
    const cachedKey = opened.get(name)
    if (cachedKey) return cachedKey
    const privateKey = createPrivateKey({
      key: unwrap(row.wrappedPrivateKey, privateKeyContext(row), wrappers),
      format: 'der',
      type: 'pkcs8',
    })
    const key = { id: row.id, algorithm: row.algorithm, privateKey, publicKey: createPublicKey(privateKey) }
    opened.set(name, key)
    return key
  }

  const rowOf = (
    named: Omit<Named, 'id'> & { id?: string } & KeyUse,
    { publicJwk, privateBytes }: Generated,
    at: Date,
  ): KeyRow => {
    // The API shows the ids of keys of DIDs as UUIDs. Other ids are short, because signatures contain them.
    const id = named.id ?? (named.ownerKind === 'did' ? newId() : newKeyId())
    const wrapping = wrap(wrapper, privateBytes, privateKeyContext({ ...named, id }))
    // A new key of the tenant's DID has signed nothing.
    const publishedUntil = named.ownerKind === 'tenant' && named.purpose === 'did' ? at : null
    const times = { createdAt: at, retiredAt: null, publishedUntil }
    return { ...named, id, publicJwk, ...wrapping, ...times }
  }

  return {
    newKey: ({ owner, ...description }, at) =>
      rowOf({ ...description, ownerKind: owner.kind, ownerId: owner.id }, generate(description.algorithm), at),
    agreementKeyOf(row) {
      const { tenantId, ownerKind, ownerId, purpose, createdAt } = row
      const made = keyPairOf(agreementKeyOf(open(row).privateKey))
      return rowOf({ tenantId, ownerKind, ownerId, purpose, algorithm: 'X25519' }, made, createdAt)
    },
    async key(db, tenantId, id) {
      const cachedKey = opened.get(nameOf(tenantId, id))
      if (cachedKey) return cachedKey
      const row = await findKey(db, tenantId, id)
      if (!row) throw new Error(`tenant ${tenantId} has no key ${id}`)
      return open(row)
    },
    open,
    unwrap: (wrapped, context) => unwrap(wrapped, context, wrappers),
    wrap: (privateBytes, context) => wrapper.sealer.seal(privateBytes, context),
    keyEncryptionKeys: wrappers.map(({ name }) => name),
    opens: (row) => findPrivateBytes(row, wrappers) !== undefined,
    rewrap: (row) => rewrap(row, wrapper, wrappers),
  }
}

interface Wrapper {
  name: string
  sealer: Sealer
}

function wrapperOf(secret: Buffer, format: SealFormat): Wrapper {
  return { name: nameOfWrapper(secret), sealer: createSealer({ secret, commonKey: createSecretKey(secret), format }) }
}

/** A part of the hash of 256 random bits does not allow a search for them. */
function nameOfWrapper(bytes: Buffer): string {
  return hash('sha256', Buffer.concat([Buffer.from('name of a key-encryption key '), bytes]), 'hex').slice(0, 16)
}

function wrap({ name, sealer }: Wrapper, privateBytes: Buffer, binding: SealContext): Wrapping {
  return { wrappedPrivateKey: sealer.seal(privateBytes, binding), wrappedUnder: name }
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

function unwrap(wrapped: Buffer, context: SealContext, wrappers: Wrapper[]): Buffer {
  const privateBytes = openWithAny(wrapped, context, wrappers)
  if (!privateBytes) throw new Error(`no key-encryption key opens key ${context.place}`)
  return privateBytes
}

function rewrap(row: KeyRow, wrapper: Wrapper, wrappers: Wrapper[]): Wrapping | undefined {
  const privateBytes = findPrivateBytes(row, wrappers)
  return privateBytes && wrap(wrapper, privateBytes, privateKeyContext(row))
}

function findPrivateBytes(row: KeyRow, wrappers: Wrapper[]): Buffer | undefined {
  return openWithAny(row.wrappedPrivateKey, privateKeyContext(row), wrappers)
}

function openWithAny(wrapped: Buffer, context: SealContext, wrappers: Wrapper[]): Buffer | undefined {
  for (const { sealer } of wrappers) {
    try {
      return sealer.open(wrapped, context)
    } catch {
      // wrapped under another of the keys
    }
  }
  return undefined
}

type Named = Pick<KeyRow, 'tenantId' | 'id' | 'ownerKind' | 'ownerId' | 'purpose'>
