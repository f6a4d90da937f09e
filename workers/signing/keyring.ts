import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Reader } from '../../db/client.ts'
import { findOpeningKey, findSigningKeys, type KeyRow } from '../../db/repos/identifiers/keys.ts'
import type { KeyAlgorithm, KeyPurpose } from '../../db/tables/identifiers/keys.ts'
import { generateBlsKeyPair } from '../../shared/formats/bls.ts'
import { publicJwk } from '../../shared/formats/jwk.ts'
import { openWith, sealWith } from '../../shared/secrets.ts'

export interface SigningKey {
  id: string
  algorithm: KeyAlgorithm
  privateKey: KeyObject
  publicKey: KeyObject
}

/**
 * The only place where private keys are in clear. They are stored wrapped (AES-256-GCM; tenant, id and purpose are bound
 * as associated data, so that a row cannot be passed off as another's) under a key that no other process has.
 */
export interface Keyring {
  /** A new key, as a row that is ready to be stored. */
  newKey(tenantId: string, purpose: KeyPurpose, algorithm: KeyAlgorithm, at: Date): KeyRow
  /** The key of an algorithm that signs for a purpose now. Throws when the tenant has none. */
  signingKey(db: Reader, tenantId: string, purpose: KeyPurpose, algorithm: KeyAlgorithm): Promise<SigningKey>
  /** The private key that opens what was encrypted for the key `id`; undefined when it is none of the tenant's, or too old. */
  openingKey(db: Reader, tenantId: string, id: string, at: Date): Promise<KeyObject | undefined>
  /** To be called when a purpose's keys changed. */
  forget(): void
}

const seenForMs = 5_000

/** `keyEncryptionKeys`: the first wraps, all of them open. */
export function createKeyring(keyEncryptionKeys: Buffer[]): Keyring {
  const opened = new LRUCache<string, SigningKey>({ max: 2_000 })
  // Another process may rotate a key: which one signs is asked again after a few seconds, the key itself is kept.
  const current = new LRUCache<string, SigningKey>({ max: 2_000, ttl: seenForMs })
  const wrappingKeys = keyEncryptionKeys.map((key) => createSecretKey(key))
  const [wrappingKey] = wrappingKeys
  if (!wrappingKey) throw new Error('there is no key-encryption key')

  function open(row: KeyRow): SigningKey {
    const known = opened.get(row.id)
    if (known) return known
    const privateKey = createPrivateKey({ key: unwrap(row, wrappingKeys), format: 'der', type: 'pkcs8' })
    const key = { id: row.id, algorithm: row.algorithm, privateKey, publicKey: createPublicKey(privateKey) }
    opened.set(row.id, key)
    return key
  }

  return {
    newKey(tenantId, purpose, algorithm, at) {
      const id = randomBytes(12).toString('base64url')
      const { publicJwk, privateBytes } = generate(algorithm)
      const wrappedPrivateKey = sealWith(wrappingKey, privateBytes, bindingOf({ tenantId, id, purpose }))
      return {
        id,
        tenantId,
        purpose,
        algorithm,
        publicJwk,
        wrappedPrivateKey,
        createdAt: at,
        retiredAt: null,
        publishedUntil: null,
      }
    },
    async signingKey(db, tenantId, purpose, algorithm) {
      const cacheKey = `${tenantId} ${purpose} ${algorithm}`
      const known = current.get(cacheKey)
      if (known) return known
      const row = (await findSigningKeys(db, tenantId, purpose)).find((each) => each.algorithm === algorithm)
      if (!row) throw new Error(`tenant ${tenantId} has no ${algorithm} key for ${purpose}`)
      const key = open(row)
      current.set(cacheKey, key)
      return key
    },
    async openingKey(db, tenantId, id, at) {
      const row = await findOpeningKey(db, tenantId, id, at)
      return row && open(row).privateKey
    },
    forget() {
      current.clear()
    },
  }
}

function generate(algorithm: KeyAlgorithm): { publicJwk: KeyRow['publicJwk']; privateBytes: Buffer } {
  if (algorithm === 'Bls12381G2') {
    const { publicKey, privateKey } = generateBlsKeyPair()
    const x = Buffer.from(publicKey).toString('base64url')
    return { publicJwk: { kty: 'OKP', crv: 'Bls12381G2', x }, privateBytes: Buffer.from(privateKey) }
  }
  const { privateKey, publicKey } = generateKeyPair(algorithm)
  return { publicJwk: publicJwk(publicKey), privateBytes: privateKey.export({ format: 'der', type: 'pkcs8' }) }
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

function bindingOf({ tenantId, id, purpose }: Pick<KeyRow, 'tenantId' | 'id' | 'purpose'>): string {
  return [tenantId, id, purpose].join(' ')
}
