import { createSecretKey, hash } from 'node:crypto'
import { isInsideTransaction } from '../../../db/inside-transaction.ts'
import type { KeyRow } from '../../../db/repos/identifiers/keys.ts'
import { createSealer, type SealContext, type SealFormat } from '../../../shared/secrets/sealing.ts'
import { privateKeyContext } from '../../../shared/secrets/stored-contexts.ts'
import { KeyProviderRefused } from './provider.ts'
import { answerOfProvider } from './provider-of-tenants.ts'

export type Wrapping = Pick<KeyRow, 'wrappedPrivateKey' | 'wrappedUnder'>

/** A key-encryption key: its 32 bytes, or a secret key that stays in a device. */
export type KeyEncryptionKey = Buffer | SecretKeyInDevice

export interface SecretKeyInDevice {
  /** The texts by which the device finds the key. */
  name: string
  /** Encrypts with AES-GCM. */
  encrypt(bytes: Buffer, associated: Buffer): Promise<Buffer>
  /** Throws KeyProviderRefused if the key, the associated data or any byte differs. */
  decrypt(bytes: Buffer, associated: Buffer): Promise<Buffer>
}

/** A device has the key-encryption key, and the caller does not wait for it: it is inside a transaction. `txWithKeys` waits. */
export class NeedsDevice extends Error {}

/** Wraps private keys with the first key-encryption key, and opens those that any of them wraps. */
export interface Wrappers {
  /** The names of the key-encryption keys, which reveal nothing about them. The first wraps. */
  readonly names: readonly string[]
  /** Throws NeedsDevice if a device has the first key-encryption key. */
  wrapAtOnce(privateBytes: Buffer, context: SealContext): Wrapping
  wrap(privateBytes: Buffer, context: SealContext): Promise<Wrapping>
  /** Returns undefined if no key-encryption key opens the bytes. Throws NeedsDevice inside a transaction if a device has it. */
  find(wrapped: Buffer, context: SealContext): Promise<Buffer | undefined>
  /** Opens like `find`. Throws if no key-encryption key opens the bytes. */
  open(wrapped: Buffer, context: SealContext): Promise<Buffer>
  /** Returns the private bytes of a row. Throws like `open`. */
  openRow(row: KeyRow): Promise<Buffer>
  /** Returns undefined if no key-encryption key opens the private bytes of the row. Throws like `find`. */
  findInRow(row: KeyRow): Promise<Buffer | undefined>
}

/** Throws without a key-encryption key. */
export function createWrappers(keyEncryptionKeys: KeyEncryptionKey[], format: SealFormat): Wrappers {
  const wrappers = keyEncryptionKeys.map((key) => (Buffer.isBuffer(key) ? inMemory(key, format) : inDevice(key)))
  const [first] = wrappers
  if (!first) throw new Error('a keyring needs a key-encryption key')
  const { name: wrappedUnder } = first

  async function find(wrapped: Buffer, context: SealContext): Promise<Buffer | undefined> {
    for (const wrapper of wrappers) {
      const privateBytes = await wrapper.find(wrapped, context)
      if (privateBytes) return privateBytes
    }
    return undefined
  }

  async function open(wrapped: Buffer, context: SealContext): Promise<Buffer> {
    const privateBytes = await find(wrapped, context)
    if (!privateBytes) throw new Error(`no key-encryption key opens key ${context.place}`)
    return privateBytes
  }

  return {
    names: wrappers.map(({ name }) => name),
    wrapAtOnce: (privateBytes, context) => ({
      wrappedPrivateKey: first.sealAtOnce(privateBytes, context),
      wrappedUnder,
    }),
    wrap: async (privateBytes, context) => ({
      wrappedPrivateKey: await first.seal(privateBytes, context),
      wrappedUnder,
    }),
    find,
    open,
    openRow: (row) => open(row.wrappedPrivateKey, privateKeyContext(row)),
    findInRow: (row) => find(row.wrappedPrivateKey, privateKeyContext(row)),
  }
}

interface Wrapper {
  name: string
  sealAtOnce(privateBytes: Buffer, context: SealContext): Buffer
  seal(privateBytes: Buffer, context: SealContext): Promise<Buffer>
  find(wrapped: Buffer, context: SealContext): Promise<Buffer | undefined>
}

function inMemory(secret: Buffer, format: SealFormat): Wrapper {
  const sealer = createSealer({ secret, commonKey: createSecretKey(secret), format })
  return {
    name: nameOfWrapper(secret),
    sealAtOnce: sealer.seal,
    seal: async (privateBytes, context) => sealer.seal(privateBytes, context),
    async find(wrapped, context) {
      try {
        return sealer.open(wrapped, context)
      } catch {
        return undefined // wrapped under another of the keys
      }
    },
  }
}

/** The begin of what a secret key in a device wraps. The name of the key-encryption key follows, and then the answer of the device. */
const mark = Buffer.from('TWD1')

/** The device gets the private key and returns it encrypted. Its secret key is in no process of the service. */
function inDevice(key: SecretKeyInDevice): Wrapper {
  const name = nameOfWrapper(Buffer.from(key.name))
  const header = Buffer.concat([mark, Buffer.from(name, 'hex')])
  return {
    name,
    sealAtOnce() {
      throw new NeedsDevice('A device has the key-encryption key. Create the key with txWithKeys.')
    },
    async seal(privateBytes, context) {
      return Buffer.concat([header, await answerOfProvider(() => key.encrypt(privateBytes, associatedOf(context)))])
    },
    async find(wrapped, context) {
      if (!wrapped.subarray(0, header.length).equals(header)) return undefined
      if (isInsideTransaction()) throw new NeedsDevice('A device has the key-encryption key. Use txWithKeys.')
      try {
        return await answerOfProvider(() => key.decrypt(wrapped.subarray(header.length), associatedOf(context)))
      } catch (error) {
        if (error instanceof KeyProviderRefused) return undefined
        throw error
      }
    },
  }
}

function associatedOf({ use, place }: SealContext): Buffer {
  return Buffer.from(`${use} ${place}`)
}

/** A part of the hash of 256 random bits does not allow a search for them. The name of a secret key in a device is not a secret. */
function nameOfWrapper(bytes: Buffer): string {
  return hash('sha256', Buffer.concat([Buffer.from('name of a key-encryption key '), bytes]), 'hex').slice(0, 16)
}
