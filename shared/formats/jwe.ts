import { createPublicKey, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { inflateRaw } from 'node:zlib'
import { CompactEncrypt, decodeProtectedHeader } from 'jose'
import { bytesOfBase64url } from './base64url.ts'
import type { SecretAgreement } from './bytes-signer.ts'
import { isJsonObject } from './json-object.ts'
import { type PublicJwk, publicKeyFromJwk } from './jwk.ts'
import { type ContentOpening, openCbcHmac, openContent, openGcm } from './jwm/content-encryption.ts'
import { canAgree, deriveKey } from './jwm/key-agreement.ts'

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
 * Opens a compact JWE that was encrypted with `ECDH-ES` for a P-256 key of this service (RFC 7518, section 4.6). Throws an error for every
 * fault of the sender, and the errors of the key.
 */
export async function openJwe(jwe: string, key: SecretAgreement, limitBytes: number): Promise<Uint8Array> {
  const [protectedText = '', encryptedKey, ...texts] = jwe.split('.', 6)
  const [iv, ciphertext, tag, ...more] = texts.map(bytesIn)
  if (!iv || !ciphertext || !tag || more.length > 0 || encryptedKey !== '') throw new Error('not a JWE of ECDH-ES')
  const header = protectedHeaderOf(protectedText)
  const { keyBits, ...encryption } = openings[header.enc]
  const purpose = { alg: header.enc, keyBits, partyU: header.apu, partyV: header.apv, tag: undefined }
  const contentKey = deriveKey([await key.derive(header.epk)], purpose)
  const content = openContent(encryption, contentKey, { iv, ciphertext, tag }, Buffer.from(protectedText))
  return header.isCompressed ? inflate(content, { maxOutputLength: limitBytes }) : content
}

const inflate = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflateRaw)

const openings: Record<ContentEncryption, ContentOpening & { keyBits: 128 | 256 }> = {
  A128GCM: { keyBits: 128, ivBytes: 12, tagBytes: 16, open: openGcm },
  A256GCM: { keyBits: 256, ivBytes: 12, tagBytes: 16, open: openGcm },
  'A128CBC-HS256': { keyBits: 256, ivBytes: 16, tagBytes: 16, open: openCbcHmac },
}

interface ProtectedHeader {
  enc: ContentEncryption
  epk: KeyObject
  apu: Buffer
  apv: Buffer
  isCompressed: boolean
}

function protectedHeaderOf(text: string): ProtectedHeader {
  const header: unknown = JSON.parse(bytesIn(text).toString())
  if (!isJsonObject(header)) throw new Error('the protected header is not an object')
  const { alg, enc, epk, apu = '', apv = '', zip, crit } = header
  const encryption = contentEncryptions.find((name) => name === enc)
  if (alg !== 'ECDH-ES' || !encryption) throw new Error('another algorithm')
  // No critical header parameter is supported (RFC 7516, section 4.1.13).
  if (crit !== undefined || (zip !== undefined && zip !== 'DEF')) throw new Error('crit or zip is not supported')
  return {
    enc: encryption,
    epk: ephemeralKeyOf(epk),
    apu: bytesIn(apu),
    apv: bytesIn(apv),
    isCompressed: zip === 'DEF',
  }
}

/** Creates a key object without the cache, because an ephemeral key occurs only once. */
function ephemeralKeyOf(epk: unknown): KeyObject {
  if (!isJsonObject(epk)) throw new Error('no epk')
  const { kty, crv, x, y } = epk
  if (kty !== 'EC' || crv !== 'P-256' || typeof x !== 'string' || typeof y !== 'string') throw new Error('not on P-256')
  return createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' })
}

function bytesIn(text: unknown): Buffer {
  const bytes = bytesOfBase64url(text)
  if (!bytes) throw new Error('not base64url')
  return bytes
}

export interface JweRecipient {
  jwk: PublicJwk
  alg: KeyAgreement
  kid: string | undefined
  enc: ContentEncryption
  zip: (typeof compressions)[number] | undefined
}

/**
 * Returns whether a JWE can be encrypted for the key. Ed25519 only signs, and a point of low order of X25519 gives no secret (RFC 7748,
 * section 6.1). The other curves have no such point.
 */
export function isRecipientKey(jwk: PublicJwk): boolean {
  if (jwk.crv !== 'X25519') return jwk.crv !== 'Ed25519'
  return canAgree(publicKeyFromJwk(jwk))
}

/** Encrypts a text for a recipient as a compact JWE. */
export function makeJwe(text: string, { jwk, alg, kid, enc, zip }: JweRecipient): Promise<string> {
  const header = { alg, enc, ...(kid === undefined ? {} : { kid }), ...(zip === undefined ? {} : { zip }) }
  return new CompactEncrypt(Buffer.from(text)).setProtectedHeader(header).encrypt(publicKeyFromJwk(jwk))
}
