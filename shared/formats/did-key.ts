import { ECDH } from 'node:crypto'
import { varint } from 'multiformats'
import { base58btc } from 'multiformats/bases/base58'
import { FormatError } from './format-error.ts'
import { type PublicJwk, parsePublicJwk } from './jwk.ts'

/** A BLS12-381 G2 public key, 96 bytes compressed; no signature is checked with it here. */
export interface BlsPublicJwk {
  readonly kty: 'OKP'
  readonly crv: 'Bls12381G2'
  readonly x: string
}
export type DidPublicJwk = PublicJwk | BlsPublicJwk

/** Multicodec code and key length in bytes for each key that a did:key may hold (did:key, section 3). */
const codecs = {
  Ed25519: { code: 0xed, bytes: 32, ecdh: undefined },
  X25519: { code: 0xec, bytes: 32, ecdh: undefined },
  Bls12381G2: { code: 0xeb, bytes: 96, ecdh: undefined },
  'P-256': { code: 0x1200, bytes: 33, ecdh: 'prime256v1' },
  'P-384': { code: 0x1201, bytes: 49, ecdh: 'secp384r1' },
  'P-521': { code: 0x1202, bytes: 67, ecdh: 'secp521r1' },
} as const
type Curve = keyof typeof codecs

// base58 takes quadratic time, and no key above is longer.
const maxBase58Length = 200

/** The did:key of a public key. */
export function didKeyOf(jwk: DidPublicJwk): string {
  return `did:key:${multibaseKey(jwk)}`
}

/**
 * Resolves a did:key or a DID URL into it. `keyId` is the full DID URL of the key. The fragment, if any, must be the key's own.
 * Throws `invalid_did` for anything else, non-canonical encodings and points off the curve among it.
 */
export function resolveDidKey(didUrl: string): { did: string; keyId: string; publicJwk: DidPublicJwk } {
  const [, did, multibase, fragment] = /^(did:key:(z[1-9A-HJ-NP-Za-km-z]+))(?:#(.+))?$/.exec(didUrl) ?? []
  if (!did || !multibase) throw new FormatError('invalid_did', 'not a did:key')
  if (fragment !== undefined && fragment !== multibase) {
    throw new FormatError('invalid_did', 'the fragment names another key')
  }
  return { did, keyId: `${did}#${multibase}`, publicJwk: readMultibaseKey(multibase) }
}

/** A public key as did:key writes it, with the letter of its base. */
export function multibaseKey(jwk: DidPublicJwk): string {
  const { code } = codecs[jwk.crv]
  const prefix = varint.encodeTo(code, new Uint8Array(varint.encodingLength(code)))
  return base58btc.encode(Buffer.concat([prefix, compressedKey(jwk)]))
}

/** The key that a multibase text with a multicodec prefix holds, as in a did:key or a Multikey. Throws `invalid_did`. */
export function readMultibaseKey(multibase: string): DidPublicJwk {
  const bytes = multibase.startsWith('z') ? base58Bytes(multibase.slice(1)) : new Uint8Array()
  const [code, prefixLength] = readVarint(bytes)
  const crv = (Object.keys(codecs) as Curve[]).find((name) => codecs[name].code === code) // the table's own keys
  const key = bytes.subarray(prefixLength)
  if (!crv || key.length !== codecs[crv].bytes)
    throw new FormatError('invalid_did', 'not a key that did:key knows here')
  const jwk = decompressedKey(crv, key)
  // Another spelling of the same key (a padded varint) would be another DID for it.
  if (multibaseKey(jwk) !== multibase) throw new FormatError('invalid_did', 'a did:key in a non-canonical encoding')
  return jwk
}

/** A key of a known curve that is written in base58btc without any prefix. Throws `invalid_did` and `invalid_jwk`. */
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
