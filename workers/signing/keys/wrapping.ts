import { createSecretKey, hash } from 'node:crypto'
import type { KeyRow } from '../../../db/repos/identifiers/keys.ts'
import { createSealer, type SealContext, type Sealer, type SealFormat } from '../../../shared/secrets/sealing.ts'
import { privateKeyContext } from '../../../shared/secrets/stored-contexts.ts'

export type Wrapping = Pick<KeyRow, 'wrappedPrivateKey' | 'wrappedUnder'>

/** Wraps private keys with the first key-encryption key, and opens those that any of them wraps. */
export interface Wrappers {
  /** The names of the key-encryption keys, which reveal nothing about them. The first wraps. */
  readonly names: readonly string[]
  wrap(privateBytes: Buffer, context: SealContext): Wrapping
  /** Returns undefined if no key-encryption key opens the bytes. */
  find(wrapped: Buffer, context: SealContext): Buffer | undefined
  /** Throws if no key-encryption key opens the bytes. */
  open(wrapped: Buffer, context: SealContext): Buffer
  /** Returns the private bytes of a row. Throws if no key-encryption key opens them. */
  openRow(row: KeyRow): Buffer
  /** Returns undefined if no key-encryption key opens the private bytes of the row. */
  findInRow(row: KeyRow): Buffer | undefined
}

/** Throws without a key-encryption key. */
export function createWrappers(keyEncryptionKeys: Buffer[], format: SealFormat): Wrappers {
  const wrappers = keyEncryptionKeys.map((secret) => wrapperOf(secret, format))
  const [first] = wrappers
  if (!first) throw new Error('a keyring needs a key-encryption key')

  function find(wrapped: Buffer, context: SealContext): Buffer | undefined {
    for (const { sealer } of wrappers) {
      try {
        return sealer.open(wrapped, context)
      } catch {
        // wrapped under another of the keys
      }
    }
    return undefined
  }

  function open(wrapped: Buffer, context: SealContext): Buffer {
    const privateBytes = find(wrapped, context)
    if (!privateBytes) throw new Error(`no key-encryption key opens key ${context.place}`)
    return privateBytes
  }

  return {
    names: wrappers.map(({ name }) => name),
    wrap: (privateBytes, context) => ({
      wrappedPrivateKey: first.sealer.seal(privateBytes, context),
      wrappedUnder: first.name,
    }),
    find,
    open,
    openRow: (row) => open(row.wrappedPrivateKey, privateKeyContext(row)),
    findInRow: (row) => find(row.wrappedPrivateKey, privateKeyContext(row)),
  }
}

function wrapperOf(secret: Buffer, format: SealFormat): { name: string; sealer: Sealer } {
  return { name: nameOfWrapper(secret), sealer: createSealer({ secret, commonKey: createSecretKey(secret), format }) }
}

/** A part of the hash of 256 random bits does not allow a search for them. */
function nameOfWrapper(bytes: Buffer): string {
  return hash('sha256', Buffer.concat([Buffer.from('name of a key-encryption key '), bytes]), 'hex').slice(0, 16)
}
