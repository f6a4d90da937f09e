import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { bytesOfBase64url } from '../../../../shared/formats/base64url.ts'
import { verifyEcdsa } from '../../../../shared/formats/ecdsa.ts'
import { parsePublicJwk, publicKeyFromJwk } from '../../../../shared/formats/jwk.ts'
import { KeyProviderRefused } from '../provider.ts'
import type { ApiAnswer, RemoteAlgorithm } from './adapter.ts'

const curves = { ES256: 'P-256', 'ECDH-ES': 'P-256', Ed25519: 'Ed25519', X25519: 'X25519' } as const

/** Returns why a public key is not one of an algorithm, as a predicate. */
export function keyFaultOf(publicKey: KeyObject, algorithm: RemoteAlgorithm): string | undefined {
  const curve = publicKey.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? 'P-256' : publicKey.asymmetricKeyType
  return curve?.toLowerCase() === curves[algorithm].toLowerCase() ? undefined : `is not of ${curves[algorithm]}`
}

/** Verifies a signature, in the form r followed by s for ES256. */
export function isValidSignature(
  algorithm: 'ES256' | 'Ed25519',
  bytes: Uint8Array,
  publicKey: KeyObject,
  signature: Buffer,
): boolean {
  if (algorithm === 'ES256') return verifyEcdsa('P-256', bytes, publicKey, signature)
  return signature.length === 64 && verify(null, bytes, publicKey, signature)
}

/** A secret of zeros is the result of a public key of low order (RFC 7748, section 6.1). */
export function isSharedSecret(secret: Buffer): boolean {
  return secret.length === 32 && secret.some((byte) => byte !== 0)
}

/** Returns a text of an answer. Throws KeyProviderRefused, which names the member and not its value. */
export function textMember(json: ApiAnswer['json'], member: string): string {
  const value = json[member]
  if (typeof value === 'string' && value !== '') return value
  throw wrongAnswer(member)
}

/** Returns the bytes of a text in base64url. */
export function base64urlMember(json: ApiAnswer['json'], member: string): Buffer {
  const bytes = bytesOfBase64url(json[member])
  if (bytes && bytes.length > 0) return bytes
  throw wrongAnswer(member)
}

/** Returns the bytes of a text in base64 with padding. */
export function base64Member(json: ApiAnswer['json'], member: string): Buffer {
  const text = textMember(json, member)
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length > 0 && bytes.toString('base64') === text) return bytes
  throw wrongAnswer(member)
}

/** Returns the public key of a JWK. */
export function keyOfJwk(jwk: unknown): KeyObject {
  try {
    return publicKeyFromJwk(parsePublicJwk(jwk))
  } catch {
    throw wrongAnswer('the public JWK')
  }
}

/** Returns the public key of a SubjectPublicKeyInfo, in DER or in PEM. */
export function keyOfSpki(spki: Buffer | string): KeyObject {
  // Node would also accept a private key in PEM.
  if (typeof spki === 'string' && !spki.startsWith('-----BEGIN PUBLIC KEY-----')) throw wrongAnswer('the public key')
  try {
    return typeof spki === 'string'
      ? createPublicKey(spki)
      : createPublicKey({ key: spki, format: 'der', type: 'spki' })
  } catch {
    throw wrongAnswer('the public key')
  }
}

export function wrongAnswer(part: string): KeyProviderRefused {
  return new KeyProviderRefused(`The answer of the remote signer is wrong: ${part}. Check its version and its address.`)
}
