import { createCipheriv, createDecipheriv, diffieHellman, generateKeyPairSync, hash, type KeyObject } from 'node:crypto'

/** The purpose of a derived key. `alg` is its algorithm. `partyU` and `partyV` are empty if the headers name no party. */
export interface Purpose {
  alg: string
  keyBits: 128 | 256
  partyU: Buffer
  partyV: Buffer
  /** The tag of the content, if its encryption commits to the key (draft-madden-jose-ecdh-1pu-04, section 2.3). */
  tag: Buffer | undefined
}

/** The only key agreement algorithm for messages. */
export const keyAgreement = { alg: 'ECDH-1PU+A256KW', keyBits: 256 } as const

/**
 * Derives a key with one round of the Concat KDF with SHA-256 (RFC 7518, section 4.6.2), which gives enough bytes. Z is the secret of the
 * agreement with the ephemeral key. For ECDH-1PU, the secret of the agreement with the sender's key follows (draft-madden-jose-ecdh-1pu-04,
 * section 2.3).
 */
export function deriveKey(secrets: readonly Buffer[], { alg, keyBits, partyU, partyV, tag }: Purpose): Buffer {
  const input = Buffer.concat([
    uint32(1),
    ...secrets,
    withLength(Buffer.from(alg)),
    withLength(partyU),
    withLength(partyV),
    uint32(keyBits),
    ...(tag ? [withLength(tag)] : []),
  ])
  return hash('sha256', input, 'buffer').subarray(0, keyBits / 8)
}

let testKey: KeyObject | undefined

/** Returns whether a key agreement with an X25519 key is possible. It is not for points of low order, which Node refuses. */
export function canAgree(publicKey: KeyObject): boolean {
  testKey ??= generateKeyPairSync('x25519').privateKey
  try {
    return diffieHellman({ privateKey: testKey, publicKey }).length > 0
  } catch {
    return false
  }
}

/** Wraps a key with AES Key Wrap (RFC 3394). */
export function wrapKey(wrapping: Buffer, key: Buffer): Buffer {
  const cipher = createCipheriv(cipherFor(wrapping), wrapping, initialValue)
  return Buffer.concat([cipher.update(key), cipher.final()])
}

/** Unwraps a key. Throws if it was wrapped with another key. */
export function unwrapKey(wrapping: Buffer, wrapped: Buffer): Buffer {
  const decipher = createDecipheriv(cipherFor(wrapping), wrapping, initialValue)
  return Buffer.concat([decipher.update(wrapped), decipher.final()])
}

/** RFC 3394, section 2.2.3.1. */
const initialValue = Buffer.alloc(8, 0xa6)

function cipherFor({ length }: Buffer): string {
  return `id-aes${length * 8}-wrap`
}

function withLength(bytes: Buffer): Buffer {
  return Buffer.concat([uint32(bytes.length), bytes])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
