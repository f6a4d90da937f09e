import { LRUCache } from 'lru-cache'
import type { Reader } from '../../../db/client.ts'
import { findKey, type KeyOwner, type KeyRow, type KeyUse } from '../../../db/repos/identifiers/keys.ts'
import { type PlatformKeyPolicy, softwareProvider } from '../../../shared/domain/identifiers/key-policy.ts'
import { newId, newKeyId } from '../../../shared/ids.ts'
import type { SealContext, SealFormat } from '../../../shared/secrets/sealing.ts'
import { privateKeyContext } from '../../../shared/secrets/stored-contexts.ts'
import { type Custody, getProvider, openProviderKey, softwareOnly } from './providers.ts'
import type { Agreement, Signer } from './signer.ts'
import { generateSoftwareKey, openSoftwareKey, type SoftwareKey, softwareAgreementKeyOf } from './software-keys.ts'
import { createWrappers, type KeyEncryptionKey, type Wrapping } from './wrapping.ts'

/**
 * Creates and opens private keys, which are unencrypted only in this folder. They are stored wrapped with keys that are derived from one that
 * no other process has. Tenant, id, purpose and owner are associated data, so that a row cannot be used as the row of another owner.
 */
export interface Keyring {
  /** The providers of this process, and the policy of the platform. */
  readonly custody: Custody
  /**
   * Creates a software key and returns its row. `txWithKeys` creates keys by the policy. Throws NeedsDevice if a device has the first
   * key-encryption key.
   */
  newKey(description: KeyDescription, at: Date): KeyRow
  /** Creates a software key like `newKey`, and waits for the device. */
  prepareKey(description: KeyDescription, at: Date): Promise<KeyRow>
  /** Generates a key in another provider than software. Nothing refers to it yet. */
  generate(key: KeyToGenerate): Promise<GeneratedKey>
  /** Returns the row of a generated key. */
  rowOf(description: KeyDescription, key: GeneratedKey, at: Date): KeyRow
  /** Derives the X25519 key of an Ed25519 key and returns a row of the same owner. Throws NeedsDevice like `openSigner`. */
  agreementKeyOf(row: KeyRow): Promise<KeyRow>
  /**
   * Returns the signer of a key id, from a cache if possible. Throws if the tenant has no such key, or if the key does not sign, and
   * NeedsDevice like `openSigner`.
   */
  signer(db: Reader, tenantId: string, id: string): Promise<Signer>
  /** Returns the agreement of a key id. Otherwise like `signer`. */
  agreement(db: Reader, tenantId: string, id: string): Promise<Agreement>
  /** Returns the signer of a row. Throws NeedsDevice inside a transaction, if a device must open the row. */
  openSigner(row: KeyRow): Promise<Signer>
  /** Returns the agreement of a row. Throws NeedsDevice like `openSigner`. */
  openAgreement(row: KeyRow): Promise<Agreement>
  /** The names of the key-encryption keys, which reveal nothing about them. The first wraps. */
  readonly keyEncryptionKeys: readonly string[]
  /** Returns whether a key-encryption key opens the private key of a row. */
  opens(row: KeyRow): Promise<boolean>
  /** Wraps the private key of a row under the first key-encryption key. Returns undefined if none of them opens it. */
  rewrap(row: KeyRow): Promise<Wrapping | undefined>
  /** Returns the bytes of a wrapped private key, for a move to another installation. Throws if no key-encryption key opens them. */
  unwrap(wrapped: Buffer, context: SealContext): Promise<Buffer>
  /** Wraps the result of `unwrap` of another installation under the first key-encryption key. */
  wrap(privateBytes: Buffer, context: SealContext): Promise<Buffer>
}

/** A new key of an owner. By default, it gets a new id. */
export type KeyDescription = { tenantId: string; owner: KeyOwner; id?: string } & KeyUse

/** A key to generate in a provider. */
export interface KeyToGenerate extends KeyUse {
  provider: string
  tenantId: string
  id?: string
  owner: KeyOwner
}

export interface GeneratedKey
  extends Pick<KeyRow, 'id' | 'tenantId' | 'purpose' | 'algorithm' | 'provider' | 'publicJwk'> {
  handle: string
}

/** Creates a keyring. The first key-encryption key wraps, all of them open. */
export function createKeyring(
  keyEncryptionKeys: KeyEncryptionKey[],
  format: SealFormat = 2,
  policy: PlatformKeyPolicy = softwareOnly,
): Keyring {
  const custody: Custody = { ...policy, providers: new Map() }
  const opened = new LRUCache<string, Signer | Agreement>({ max: 2_000 })
  const wrappers = createWrappers(keyEncryptionKeys, format)

  const nameOf = (tenantId: string, id: string) => `${tenantId} ${id}`

  async function open(row: KeyRow): Promise<Signer | Agreement> {
    const name = nameOf(row.tenantId, row.id)
    const cachedKey = opened.get(name)
    if (cachedKey) return cachedKey
    const isSoftware = row.provider === softwareProvider
    const key = isSoftware ? openSoftwareKey(row, await wrappers.openRow(row)) : openProviderKey(custody, row)
    opened.set(name, key)
    return key
  }

  async function read(db: Reader, tenantId: string, id: string): Promise<Signer | Agreement> {
    const row = await findKey(db, tenantId, id)
    if (!row) throw new Error(`tenant ${tenantId} has no key ${id}`)
    return open(row)
  }

  const wrapped = async ({ privateBytes, context, rowOf }: UnwrappedKey) =>
    rowOf(await wrappers.wrap(privateBytes, context))

  return {
    custody,
    newKey(description, at) {
      const { privateBytes, context, rowOf } = unwrappedKey(namedOf(description), at)
      return rowOf(wrappers.wrapAtOnce(privateBytes, context))
    },
    prepareKey: (description, at) => wrapped(unwrappedKey(namedOf(description), at)),
    generate: (key) => generate(custody, key),
    rowOf: providerRowOf,
    async agreementKeyOf(row) {
      const { tenantId, ownerKind, ownerId, purpose, createdAt } = row
      const key = softwareAgreementKeyOf(await wrappers.openRow(row))
      return wrapped(unwrappedKey({ tenantId, ownerKind, ownerId, purpose, algorithm: 'X25519' }, createdAt, key))
    },
    signer: async (db, tenantId, id) =>
      requireSigner(opened.get(nameOf(tenantId, id)) ?? (await read(db, tenantId, id))),
    agreement: async (db, tenantId, id) =>
      requireAgreement(opened.get(nameOf(tenantId, id)) ?? (await read(db, tenantId, id))),
    openSigner: async (row) => requireSigner(await open(row)),
    openAgreement: async (row) => requireAgreement(await open(row)),
    unwrap: wrappers.open,
    wrap: async (privateBytes, context) => (await wrappers.wrap(privateBytes, context)).wrappedPrivateKey,
    keyEncryptionKeys: wrappers.names,
    opens: async (row) => (await wrappers.findInRow(row)) !== undefined,
    async rewrap(row) {
      const privateBytes = await wrappers.findInRow(row)
      return privateBytes && wrappers.wrap(privateBytes, privateKeyContext(row))
    },
  }
}

function requireSigner(key: Signer | Agreement): Signer {
  if ('sign' in key) return key
  throw new Error(`the key ${key.id} of ${key.algorithm} does not sign`)
}

function requireAgreement(key: Signer | Agreement): Agreement {
  if ('derive' in key) return key
  throw new Error(`the key ${key.id} of ${key.algorithm} is not for key agreement`)
}

type NewKey = Pick<KeyRow, 'tenantId' | 'ownerKind' | 'ownerId' | 'purpose' | 'algorithm'> & { id?: string }

function namedOf({ tenantId, owner, purpose, algorithm, id }: KeyDescription): NewKey {
  return {
    ...{ tenantId, ownerKind: owner.kind, ownerId: owner.id, purpose, algorithm },
    ...(id !== undefined && { id }),
  }
}

/** A software key without its wrapping. */
interface UnwrappedKey {
  privateBytes: Buffer
  context: SealContext
  rowOf(wrapping: Wrapping): KeyRow
}

/** Returns a software key of an owner, by default a new one. */
function unwrappedKey(named: NewKey, at: Date, key: SoftwareKey = generateSoftwareKey(named.algorithm)): UnwrappedKey {
  const { publicJwk, privateBytes } = key
  const content = { ...named, id: named.id ?? newIdFor(named), publicJwk, provider: softwareProvider, handle: null }
  return {
    privateBytes,
    context: privateKeyContext(content),
    rowOf: (wrapping) => ({ ...content, ...wrapping, ...timesOf(named, at) }),
  }
}

function providerRowOf(
  description: KeyDescription,
  { id, publicJwk, provider, handle }: GeneratedKey,
  at: Date,
): KeyRow {
  const named = namedOf(description)
  const wrapping = { wrappedPrivateKey: Buffer.alloc(0), wrappedUnder: '' }
  return { ...named, id, publicJwk, provider, handle, ...wrapping, ...timesOf(named, at) }
}

/** Generates a key pair in its provider. */
async function generate(custody: Custody, key: KeyToGenerate): Promise<GeneratedKey> {
  const { tenantId, purpose, algorithm, provider } = key
  const id = key.id ?? newIdFor(namedOf(key))
  const label = `${tenantId} ${purpose} ${id}`
  const made = await getProvider(custody, provider).generate({ id, tenantId, purpose, label, algorithm })
  return { id, tenantId, purpose, algorithm, provider, ...made }
}

/** The API shows the ids of keys of DIDs as UUIDs. Other ids are short, because signatures contain them. */
function newIdFor({ ownerKind }: NewKey): string {
  return ownerKind === 'did' ? newId() : newKeyId()
}

function timesOf({ ownerKind, purpose }: NewKey, at: Date) {
  // A new key of the tenant's DID has signed nothing.
  const publishedUntil = ownerKind === 'tenant' && purpose === 'did' ? at : null
  return { createdAt: at, retiredAt: null, publishedUntil }
}
