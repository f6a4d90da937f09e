import { type KeyObject, verify as verifyBytes } from 'node:crypto'
import type { BytesSigner } from './bytes-signer.ts'
import { type CborArray, type CborMap, type CborValue, isTag } from './cbor.ts'
import { decodeCbor } from './cbor-decode.ts'
import { encodeCbor } from './cbor-encode.ts'
import { type EcdsaCurve, verifyEcdsa } from './ecdsa.ts'
import { FormatError } from './format-error.ts'

/** COSE header parameters (RFC 9052, section 3.1, and RFC 9360). */
export const coseHeader = { alg: 1, crit: 2, contentType: 3, kid: 4, type: 16, x5chain: 33 } as const

const coseSign1Tag = 18

/** COSE algorithms, each with its kind of key (RFC 9053, section 2). */
const algorithms: { alg: number; keyType: string; namedCurve?: string; curve?: EcdsaCurve }[] = [
  { alg: -7, keyType: 'ec', namedCurve: 'prime256v1', curve: 'P-256' },
  { alg: -35, keyType: 'ec', namedCurve: 'secp384r1', curve: 'P-384' },
  { alg: -36, keyType: 'ec', namedCurve: 'secp521r1', curve: 'P-521' },
  { alg: -8, keyType: 'ed25519' },
]

export interface Sign1 {
  readonly protectedHeader: CborMap
  readonly unprotectedHeader: CborMap
  /** The encoded protected header, over which the signature is computed. */
  readonly protectedBytes: Buffer
  readonly payload: Buffer
  readonly signature: Buffer
}

export interface Sign1Input {
  readonly protectedHeader: CborMap
  readonly unprotectedHeader?: CborMap
  readonly payload: Uint8Array
  readonly sign: (toBeSigned: Buffer) => Promise<Uint8Array>
  /** Whether the message has tag 18. */
  readonly tagged: boolean
}

/** Encodes the Sig_structure (RFC 9052, section 4.4). An empty protected map counts as an empty byte string. */
export function signatureStructure(
  protectedBytes: Uint8Array,
  payload: Uint8Array,
  externalAad: Uint8Array = noBytes,
): Buffer {
  const header = protectedBytes.length === 1 && protectedBytes[0] === 0xa0 ? noBytes : protectedBytes
  return encodeCbor(['Signature1', header, externalAad, payload])
}

const noBytes = Buffer.alloc(0)

/** Builds a COSE_Sign1 with its payload attached (RFC 9052, section 4.2). */
export async function signSign1({ tagged, ...input }: Sign1Input): Promise<Buffer> {
  const parts = await sign1Parts(input)
  return encodeCbor(tagged ? { tag: coseSign1Tag, value: parts } : parts)
}

/** Builds the same without tag and encoding, for structures that contain a COSE_Sign1. */
export async function sign1Parts({
  protectedHeader,
  unprotectedHeader,
  payload,
  sign,
}: Omit<Sign1Input, 'tagged'>): Promise<CborArray> {
  const protectedBytes = protectedHeader.size === 0 ? noBytes : encodeCbor(protectedHeader)
  const signature = await sign(signatureStructure(protectedBytes, payload))
  return [protectedBytes, unprotectedHeader ?? new Map(), payload, signature]
}

/** Returns the algorithm of a key and its signing function for `signSign1`. Throws `invalid_cose` for other keys. */
export function coseSigner(signer: BytesSigner): { alg: number; sign: Sign1Input['sign'] } {
  return { alg: algorithmOf(signer.publicKey).alg, sign: (toBeSigned) => signer.sign(toBeSigned) }
}

/** Parses a COSE_Sign1, tagged or untagged, without a check of its signature. `maxItems` as in `decodeCbor`. Throws `invalid_cose`. */
export function parseSign1(bytes: Uint8Array, maxItems?: number): Sign1 {
  const item = decodeCbor(bytes, maxItems)
  const parts = isTag(item) && item.tag === coseSign1Tag ? item.value : item
  if (!Array.isArray(parts) || parts.length !== 4) throw new FormatError('invalid_cose', 'not a COSE_Sign1')
  const [protectedBytes, unprotectedHeader, payload, signature] = parts
  if (!Buffer.isBuffer(protectedBytes) || !Buffer.isBuffer(payload) || !Buffer.isBuffer(signature)) {
    throw new FormatError('invalid_cose', 'a part of the COSE_Sign1 is not a byte string')
  }
  const protectedHeader = protectedBytes.length === 0 ? new Map() : decodeCbor(protectedBytes, maxItems)
  return {
    protectedHeader: headerMap(protectedHeader),
    unprotectedHeader: headerMap(unprotectedHeader),
    protectedBytes,
    payload,
    signature,
  }
}

/**
 * Parses a COSE_Sign1 and verifies its signature. The algorithm must match the key, so that a header cannot choose another. Critical
 * header parameters are not supported. Throws `invalid_cose` only if the message is not a COSE_Sign1.
 */
export function verifySign1(
  bytes: Uint8Array,
  publicKey: KeyObject,
  externalAad?: Uint8Array,
): Sign1 & { verified: boolean } {
  const parsed = parseSign1(bytes)
  const { alg, curve } = algorithmOf(publicKey)
  const stated = parsed.protectedHeader.get(coseHeader.alg) ?? parsed.unprotectedHeader.get(coseHeader.alg)
  if (stated !== alg || parsed.protectedHeader.has(coseHeader.crit)) return { ...parsed, verified: false }
  const signed = signatureStructure(parsed.protectedBytes, parsed.payload, externalAad)
  const { signature } = parsed
  const verified = curve
    ? verifyEcdsa(curve, signed, publicKey, signature)
    : verifyBytes(null, signed, publicKey, signature)
  return { ...parsed, verified }
}

type Algorithm = (typeof algorithms)[number]

/** Node parses a key for each access to its details. Signing keys are used thousands of times. */
const knownAlgorithms = new WeakMap<KeyObject, Algorithm>()

function algorithmOf(key: KeyObject): Algorithm {
  const algorithm = knownAlgorithms.get(key) ?? findAlgorithm(key)
  knownAlgorithms.set(key, algorithm)
  return algorithm
}

function findAlgorithm(key: KeyObject): Algorithm {
  const namedCurve = key.asymmetricKeyDetails?.namedCurve
  const algorithm = algorithms.find((row) => row.keyType === key.asymmetricKeyType && row.namedCurve === namedCurve)
  if (!algorithm) throw new FormatError('invalid_cose', 'a key that COSE signatures here do not use')
  return algorithm
}

function headerMap(value: CborValue): CborMap {
  if (!(value instanceof Map)) throw new FormatError('invalid_cose', 'a header that is not a map')
  return value
}
