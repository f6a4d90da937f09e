import { createCipheriv, createDecipheriv, diffieHellman, hash, type KeyObject } from 'node:crypto'

/** Our half and the other side's half of an agreement with X25519. */
export interface Halves {
  privateKey: KeyObject
  publicKey: KeyObject
}

/** What the key that wraps is for. `partyU` and `partyV` are empty where the headers name nobody. */
export interface Purpose {
  alg: string
  keyBits: 128 | 256
  partyU: Buffer
  partyV: Buffer
  /** Of the content, where its encryption commits to the key (draft-madden-jose-ecdh-1pu-04, section 2.3). */
  tag: Buffer | undefined
}

/** The one algorithm of messages here. */
export const keyAgreement = { alg: 'ECDH-1PU+A256KW', keyBits: 256 } as const

/**
 * The key that wraps the content's (draft-madden-jose-ecdh-1pu-04, section 2.3): Z is that of the ephemeral key and that of
 * the sender's, side by side, and goes through the Concat KDF with SHA-256 (RFC 7518, section 4.6.2), whose one round
 * gives as much as is asked for. Throws for points of low order, with which X25519 agrees on zeros: node refuses these.
 */
export function wrappingKey(
  ephemeral: Halves,
  standing: Halves,
  { alg, keyBits, partyU, partyV, tag }: Purpose,
): Buffer {
  const input = Buffer.concat([
    uint32(1),
    diffieHellman(ephemeral),
    diffieHellman(standing),
    withLength(Buffer.from(alg)),
    withLength(partyU),
    withLength(partyV),
    uint32(keyBits),
    ...(tag ? [withLength(tag)] : []),
  ])
  return hash('sha256', input, 'buffer').subarray(0, keyBits / 8)
}

/** Whether anything can be agreed upon with a public key: with those of low order it cannot. */
export function canAgree(halves: Halves): boolean {
  try {
    return diffieHellman(halves).length > 0
  } catch {
    return false
  }
}

/** AES Key Wrap (RFC 3394). */
export function wrapKey(wrapping: Buffer, key: Buffer): Buffer {
  const cipher = createCipheriv(cipherFor(wrapping), wrapping, initialValue)
  return Buffer.concat([cipher.update(key), cipher.final()])
}

/** Throws when it was wrapped with another key. */
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
