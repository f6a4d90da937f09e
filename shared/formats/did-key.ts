import { ECDH } from 'node:crypto'
import { varint } from 'multiformats'
import { base58btc } from 'multiformats/bases/base58'
import { FormatError } from './format-error.ts'
import { type PublicJwk, parsePublicJwk } from './jwk.ts'

/** A BLS12-381 G2 public key, 96 bytes compressed. The service verifies no signatures with it. */
export interface BlsPublicJwk {
  readonly kty: 'OKP'
  readonly crv: 'Bls12381G2'
  readonly x: string
}
export type DidPublicJwk = PublicJwk | BlsPublicJwk

/** Multicodec code and key length in bytes for each kind of key in a did:key (did:key, section 3). */
const codecs = {
  Ed25519: { code: 0xed, bytes: 32, ecdh: undefined },
  X25519: { code: 0xec, bytes: 32, ecdh: undefined },
  Bls12381G2: { code: 0xeb, bytes: 96, ecdh: undefined },
  'P-256': { code: 0x1200, bytes: 33, ecdh: 'prime256v1' },
  'P-384': { code: 0x1201, bytes: 49, ecdh: 'secp384r1' },
  'P-521': { code: 0x1202, bytes: 67, ecdh: 'secp521r1' },
} as const
type Curve = keyof typeof codecs

// base58 takes quadratic time. No key above is longer.
const maxBase58Length = 200

/** Returns the did:key of a public key. */
export function didKeyOf(jwk: DidPublicJwk): string {
  return `did:key:${multibaseKey(jwk)}`
}

/**
 * Resolves a did:key or a DID URL of its key. `keyId` is the full DID URL of the key. A fragment must name the key itself. Throws
 * `invalid_did`, also for non-canonical encodings and points that are not on the curve.
 */
export function resolveDidKey(didUrl: string): { did: string; keyId: string; publicJwk: DidPublicJwk } {
  const [, did, multibase, fragment] = /^(did:key:(z[1-9A-HJ-NP-Za-km-z]+))(?:#(.+))?$/.exec(didUrl) ?? []
  if (!did || !multibase) throw new FormatError('invalid_did', 'not a did:key')
  if (fragment !== undefined && fragment !== multibase) {
    throw new FormatError('invalid_did', 'the fragment names another key')
  }
  return { did, keyId: `${did}#${multibase}`, publicJwk: readMultibaseKey(multibase) }
}

/** Encodes a public key as in a did:key, with the letter of the base. */
export function multibaseKey(jwk: DidPublicJwk): string {
  const { code } = codecs[jwk.crv]
  const prefix = varint.encodeTo(code, new Uint8Array(varint.encodingLength(code)))
  return base58btc.encode(Buffer.concat([prefix, compressedKey(jwk)]))
}

/** Reads a key in multibase with a multicodec prefix, as in a did:key or a Multikey. Throws `invalid_did`. */
export function readMultibaseKey(multibase: string): DidPublicJwk {
  const bytes = multibase.startsWith('z') ? base58Bytes(multibase.slice(1)) : new Uint8Array()
  const [code, prefixLength] = readVarint(bytes)
  const crv = (Object.keys(codecs) as Curve[]).find((name) => codecs[name].code === code) // the table's own keys
  const key = bytes.subarray(prefixLength)
  if (!crv || key.length !== codecs[crv].bytes)
    throw new FormatError('invalid_did', 'not a key that did:key knows here')
  const jwk = decompressedKey(crv, key)
  // Another encoding of the same key, such as a padded varint, would be another DID of the key.
  if (multibaseKey(jwk) !== multibase) throw new FormatError('invalid_did', 'a did:key in a non-canonical encoding')
  return jwk
}

/** Reads a key of a known curve in base58btc without a prefix. Throws `invalid_did` and `invalid_jwk`. */
export function readBareKey(crv: DidPublicJwk['crv'], base58: string): DidPublicJwk {
  const key = base58Bytes(base58)
  if (codecs[crv].ecdh === undefined && key.length !== codecs[crv].bytes) {
    throw new FormatError('invalid_did', 'not a key of this curve')
  }
  return decompressedKey(crv, key)
}

function base58Bytes(text: string): Uint8Array {
  if (text.length > maxBase58Length) throw new FormatError('invalid_did', 'longer than any key')
  try {
    return base58btc.baseDecode(text)
  } catch (error) {
    throw new FormatError('invalid_did', 'not base58btc', { cause: error })
  }
}

function readVarint(bytes: Uint8Array): [code: number, length: number] {
  try {
    return varint.decode(bytes)
  } catch (error) {
    throw new FormatError('invalid_did', 'not a multicodec key', { cause: error })
  }
}

function compressedKey(jwk: DidPublicJwk): Buffer {
  const x = Buffer.from(jwk.x, 'base64url')
  if (jwk.kty === 'OKP') return x
  const y = Buffer.from(jwk.y, 'base64url')
  return Buffer.concat([Buffer.from([(y.at(-1) ?? 0) % 2 === 0 ? 2 : 3]), x])
}

function decompressedKey(crv: Curve, key: Uint8Array): DidPublicJwk {
  const { ecdh } = codecs[crv]
  if (!ecdh) {
    const x = Buffer.from(key).toString('base64url')
    return crv === 'Bls12381G2' ? { kty: 'OKP', crv, x } : parsePublicJwk({ kty: 'OKP', crv, x })
  }
  const point = uncompressedPoint(key, ecdh)
  const middle = (point.length + 1) / 2
  const x = point.subarray(1, middle).toString('base64url')
  const y = point.subarray(middle).toString('base64url')
  return parsePublicJwk({ kty: 'EC', crv, x, y })
}

function uncompressedPoint(key: Uint8Array, curve: string): Buffer {
  try {
    const point = ECDH.convertKey(key, curve, undefined, undefined, 'uncompressed')
    return typeof point === 'string' ? Buffer.from(point, 'latin1') : point
  } catch (error) {
    throw new FormatError('invalid_did', 'not a point of the curve', { cause: error })
  }
}
