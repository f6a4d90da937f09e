import { type KeyObject, verify } from 'node:crypto'
import { bytesOfBase64url } from './base64url.ts'
import { verifyEcdsa } from './ecdsa.ts'
import { FormatError } from './format-error.ts'
import { type PublicJwk, publicJwk, publicKeyFromJwk } from './jwk.ts'

/** The curve of each signature algorithm (RFC 7518, section 3.4, and RFC 8037, section 3.1). */
const curves = { EdDSA: 'Ed25519', ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' } as const

/** The curves of keys that can verify a signature. */
export const signingCurves = Object.values(curves)

export type JwsAlgorithm = keyof typeof curves

export interface CompactJws {
  alg: JwsAlgorithm
  kid: string
  payload: Buffer
  /** Returns false for an invalid signature, and for a key that does not match the algorithm. */
  isSignedWith(jwk: PublicJwk): boolean
}

/**
 * Parses a compact JWS (RFC 7515, section 7.1). Throws `invalid_jws` for another algorithm, a missing `kid`, and critical extensions.
 */
export function readCompactJws(jws: string): CompactJws {
  const parts = jws.split('.', 4)
  const [head = '', body = '', end = ''] = parts
  const [header, payload, signature] = [bytesOfBase64url(head), bytesOfBase64url(body), bytesOfBase64url(end)]
  if (parts.length !== 3 || !header || !payload || !signature) throw refuse('It is not a compact JWS')
  const { alg, kid, crit } = objectIn(header)
  if (!isJwsAlgorithm(alg)) throw refuse(`Its alg is not one of ${Object.keys(curves).join(', ')}`)
  if (crit !== undefined) throw refuse('It has extensions (crit), which are not supported')
  if (typeof kid !== 'string') throw refuse('It names no key (kid)')
  return {
    alg,
    kid,
    payload,
    isSignedWith: (jwk) => isSignatureOf(jwk, alg, `${head}.${body}`, signature),
  }
}

/** Verifies the signature over a signing input. Returns false for a key that does not match the algorithm. */
export function isSignatureOf(jwk: PublicJwk, alg: JwsAlgorithm, signingInput: string, signature: Buffer): boolean {
  if (jwk.crv !== curves[alg]) return false
  const [input, key] = [Buffer.from(signingInput), publicKeyFromJwk(jwk)]
  return jwk.kty === 'EC' ? verifyEcdsa(jwk.crv, input, key, signature) : verify(null, input, key, signature)
}

/** Returns the algorithm of a key that signs. Throws `invalid_jwk` for an unsupported key. */
export function algorithmOfKey(key: KeyObject): JwsAlgorithm {
  const { crv } = publicJwk(key)
  const algorithm = Object.keys(curves).find((alg): alg is JwsAlgorithm => isJwsAlgorithm(alg) && curves[alg] === crv)
  if (!algorithm) throw new FormatError('invalid_jwk', 'a key that cannot sign')
  return algorithm
}

/** Whether the service verifies signatures of the algorithm. It never accepts `none`. */
export function isJwsAlgorithm(alg: unknown): alg is JwsAlgorithm {
  return typeof alg === 'string' && Object.hasOwn(curves, alg)
}

function objectIn(bytes: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(bytes.toString())
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>
  } catch {
    // below
  }
  throw refuse('Its header is not a JSON object')
}

function refuse(why: string): FormatError {
  return new FormatError('invalid_jws', why)
}
