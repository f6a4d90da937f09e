import { createPublicKey, hash, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { CborMap, CborValue } from './cbor.ts'
import { FormatError } from './format-error.ts'

/** A public key (RFC 7518, section 6.2, and RFC 8037) with only its required members. */
export type PublicJwk = EcPublicJwk | OkpPublicJwk
export interface EcPublicJwk {
  readonly kty: 'EC'
  readonly crv: 'P-256' | 'P-384' | 'P-521'
  readonly x: string
  readonly y: string
}
export interface OkpPublicJwk {
  readonly kty: 'OKP'
  readonly crv: 'Ed25519' | 'X25519'
  readonly x: string
}

/** Key type, bytes of a coordinate, and COSE numbers (RFC 9053, section 7.1) of each curve. */
const curves = {
  'P-256': { kty: 'EC', bytes: 32, coseKty: 2, coseCrv: 1 },
  'P-384': { kty: 'EC', bytes: 48, coseKty: 2, coseCrv: 2 },
  'P-521': { kty: 'EC', bytes: 66, coseKty: 2, coseCrv: 3 },
  Ed25519: { kty: 'OKP', bytes: 32, coseKty: 1, coseCrv: 6 },
  X25519: { kty: 'OKP', bytes: 32, coseKty: 1, coseCrv: 4 },
} as const
type Curve = keyof typeof curves

/** COSE_Key labels (RFC 9052, section 7.1, and RFC 9053, section 7.1). */
const coseKeyLabel = { kty: 1, crv: -1, x: -2, y: -3 } as const

const privateMembers = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv']

/** Whether a JWK of any type contains private or symmetric key material. */
export function isPrivateJwk(jwk: object): boolean {
  return privateMembers.some((member) => member in jwk)
}

/**
 * Reads an external public JWK. The curve must be known, the key type must match, and the point must be on the curve. It must contain
 * no private member. Drops other members (`kid`, `use`, ...). Throws `invalid_jwk`.
 */
export function parsePublicJwk(value: unknown): PublicJwk {
  if (typeof value !== 'object' || value === null) throw new FormatError('invalid_jwk', 'a JWK is an object')
  if (isPrivateJwk(value)) throw new FormatError('invalid_jwk', 'a private key where a public one belongs')
  const { kty, crv, x, y } = value as Record<string, unknown> // members are checked one by one below
  if (!isCurve(crv) || curves[crv].kty !== kty) throw new FormatError('invalid_jwk', 'not a key of a known curve')
  const bytes = curves[crv].bytes
  if (!isCoordinate(x, bytes)) throw new FormatError('invalid_jwk', 'x does not fit the curve')
  if (isOkpCurve(crv)) return { kty: 'OKP', crv, x }
  if (!isCoordinate(y, bytes)) throw new FormatError('invalid_jwk', 'y does not fit the curve')
  const jwk: PublicJwk = { kty: 'EC', crv, x, y }
  publicKeyFromJwk(jwk)
  return jwk
}

/** Returns the JWK thumbprint with SHA-256 in base64url (RFC 7638). */
export function thumbprint(jwk: PublicJwk): string {
  return hash('sha256', canonicalJwk(jwk), 'base64url')
}

// The cache is global, because a key object depends only on its JWK.
const keyCache = new LRUCache<string, KeyObject>({ max: 5_000 })

/** Returns the key object of a public JWK, and caches it. Throws `invalid_jwk` for a point that is not on the curve. */
export function publicKeyFromJwk(jwk: PublicJwk): KeyObject {
  const cacheKey = canonicalJwk(jwk)
  const cached = keyCache.get(cacheKey)
  if (cached) return cached
  try {
    const key = createPublicKey({ key: JSON.parse(cacheKey), format: 'jwk' })
    keyCache.set(cacheKey, key)
    return key
  } catch (error) {
    throw new FormatError('invalid_jwk', 'not a point of the curve', { cause: error })
  }
}

/** Returns the public JWK of a private or public key object. Throws `invalid_jwk` for keys of other curves. */
export function publicJwk(key: KeyObject): PublicJwk {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  return parsePublicJwk(exported(publicKey))
}

function exported(key: KeyObject): object {
  try {
    return key.export({ format: 'jwk' })
  } catch (cause) {
    throw new FormatError('invalid_jwk', 'a key without a JWK', { cause })
  }
}

/** Returns the COSE_Key of a public JWK, for `cnf` (RFC 8747) and device keys. */
export function coseKeyFromJwk(jwk: PublicJwk): CborMap {
  const { coseKty, coseCrv } = curves[jwk.crv]
  const key = new Map<CborValue, CborValue>([
    [coseKeyLabel.kty, coseKty],
    [coseKeyLabel.crv, coseCrv],
    [coseKeyLabel.x, Buffer.from(jwk.x, 'base64url')],
  ])
  if (jwk.kty === 'EC') key.set(coseKeyLabel.y, Buffer.from(jwk.y, 'base64url'))
  return key
}

/** Returns the public JWK of a COSE_Key. Throws `invalid_jwk` for other key types, compressed points and invalid points. */
export function jwkFromCoseKey(key: CborMap): PublicJwk {
  const names = Object.keys(curves).filter(isCurve)
  const crv = names.find(
    (name) => curves[name].coseCrv === key.get(coseKeyLabel.crv) && curves[name].coseKty === key.get(coseKeyLabel.kty),
  )
  if (!crv) throw new FormatError('invalid_jwk', 'not a COSE_Key of a known curve')
  const x = coordinateText(key.get(coseKeyLabel.x))
  const y = coordinateText(key.get(coseKeyLabel.y))
  return parsePublicJwk({ kty: curves[crv].kty, crv, x, y })
}

/** Returns the required members in the order of RFC 7638, section 3.2. */
function canonicalJwk(jwk: PublicJwk): string {
  const { kty, crv, x } = jwk
  return JSON.stringify(kty === 'EC' ? { crv, kty, x, y: jwk.y } : { crv, kty, x })
}

function isCurve(crv: unknown): crv is Curve {
  return typeof crv === 'string' && Object.hasOwn(curves, crv)
}

function isOkpCurve(crv: Curve): crv is OkpPublicJwk['crv'] {
  return curves[crv].kty === 'OKP'
}

/** Accepts only canonical base64url of exactly this number of bytes, so that a key has one thumbprint. */
function isCoordinate(text: unknown, bytes: number): text is string {
  if (typeof text !== 'string') return false
  const decoded = Buffer.from(text, 'base64url')
  return decoded.length === bytes && decoded.toString('base64url') === text
}

function coordinateText(value: CborValue): string | undefined {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64url') : undefined
}
