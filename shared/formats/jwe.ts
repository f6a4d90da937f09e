import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose'
import { type PublicJwk, publicKeyFromJwk } from './jwk.ts'
import { canAgree } from './jwm/key-agreement.ts'

/** Content encryptions (RFC 7518, section 5.1) for both directions. HAIP 1.0, section 5, requires the first two. */
export const contentEncryptions = ['A128GCM', 'A256GCM', 'A128CBC-HS256'] as const
export type ContentEncryption = (typeof contentEncryptions)[number]

/** Key agreement algorithms for elliptic curve keys (RFC 7518, section 4.6). */
export const keyAgreements = ['ECDH-ES', 'ECDH-ES+A128KW', 'ECDH-ES+A256KW'] as const
export type KeyAgreement = (typeof keyAgreements)[number]

/** RFC 7516, section 4.1.3. */
export const compressions = ['DEF'] as const

/** Returns the unchecked `kid` of a compact JWE. Returns undefined if it has none, or if the text is not a JWE. */
export function kidOfJwe(jwe: string): string | undefined {
  if (jwe.split('.', 6).length !== 5) return undefined
  try {
    const { kid }: { kid?: unknown } = decodeProtectedHeader(jwe)
    return typeof kid === 'string' ? kid : undefined
  } catch {
    return undefined
  }
}

/**
 * Opens a compact JWE that was encrypted with `ECDH-ES` for a key of this service. Throws all errors of jose and of Node's crypto. The
 * key is valid, so that each of them is an error of the sender.
 */
export async function openJwe(jwe: string, privateKey: KeyObject, limitBytes: number): Promise<Uint8Array> {
  const { plaintext } = await compactDecrypt(jwe, privateKey, {
    keyManagementAlgorithms: ['ECDH-ES'],
    contentEncryptionAlgorithms: [...contentEncryptions],
    maxDecompressedLength: limitBytes,
  })
  return plaintext
}

export interface JweRecipient {
  jwk: PublicJwk
  alg: KeyAgreement
  kid: string | undefined
  enc: ContentEncryption
  zip: (typeof compressions)[number] | undefined
}

let testKey: KeyObject | undefined

/**
 * Returns whether a JWE can be encrypted for the key. Ed25519 only signs, and a point of low order of X25519 gives no secret (RFC 7748,
 * section 6.1). The other curves have no such point.
 */
export function isRecipientKey(jwk: PublicJwk): boolean {
  if (jwk.crv !== 'X25519') return jwk.crv !== 'Ed25519'
  testKey ??= generateKeyPairSync('x25519').privateKey
  return canAgree({ privateKey: testKey, publicKey: publicKeyFromJwk(jwk) })
}

/** Encrypts a text for a recipient as a compact JWE. */
export function makeJwe(text: string, { jwk, alg, kid, enc, zip }: JweRecipient): Promise<string> {
  const header = { alg, enc, ...(kid === undefined ? {} : { kid }), ...(zip === undefined ? {} : { zip }) }
  return new CompactEncrypt(Buffer.from(text)).setProtectedHeader(header).encrypt(publicKeyFromJwk(jwk))
}
