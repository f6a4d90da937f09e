import { promisify } from 'node:util'
import { constants, deflate } from 'node:zlib'
import type { CborMap, CborValue } from './cbor.ts'
import { coseHeader } from './cose.ts'
import { cwtClaim, numericDate, type UnsignedCwt } from './cwt.ts'

/**
 * The formats of a tenant's token status lists: draft 14 of Token Status List (draft-ietf-oauth-status-list), or an earlier format with
 * other claim keys and another type, for older verifiers.
 */
export type StatusListFormat = 'draft14' | 'legacy'

/** The number of bits of an entry (draft 14, section 4.1). */
export type StatusBits = 1 | 2 | 4 | 8

/** The status values (section 7.1 of the draft). */
export const statusValue = { valid: 0, invalid: 1, suspended: 2 } as const

interface Dialect {
  bits: StatusBits
  /** COSE header parameter 16. */
  type: string
  claims: { list: number; ttl: number }
  protectedHeader(type: string, alg: number, certificate: Uint8Array): [number, CborValue][]
}

const dialects: Record<StatusListFormat, Dialect> = {
  draft14: {
    bits: 1,
    type: 'application/statuslist+cwt',
    claims: { list: 65533, ttl: 65534 },
    protectedHeader: (type, alg, certificate) => [
      [coseHeader.alg, alg],
      [coseHeader.type, type],
      [coseHeader.x5chain, certificate],
    ],
  },
  legacy: {
    bits: 2,
    type: 'mattr-statuslist+cwt',
    claims: { list: -65538, ttl: -65539 },
    protectedHeader: (type, alg, certificate) => [
      [coseHeader.type, type],
      [coseHeader.alg, alg],
      [coseHeader.x5chain, certificate],
    ],
  },
}

/** Returns the number of bits for mobile credentials. */
export const statusBitsOf = (format: StatusListFormat): StatusBits => dialects[format].bits

/** An entry with a status other than 0. */
export interface SetEntry {
  /** The index in the list, from 0. */
  readonly position: number
  readonly value: number
}

/**
 * Packs a list of `size` entries. The first entry is in the least significant bits of the first byte (section 4.1). Throws for an entry
 * outside of the list, and for a value that needs more bits.
 */
export function packStatuses(entries: Iterable<SetEntry>, size: number, bits: StatusBits): Buffer {
  const bytes = Buffer.alloc(Math.ceil((size * bits) / 8))
  for (const { position, value } of entries) {
    if (!Number.isInteger(position) || position < 0 || position >= size) {
      throw new Error(`a list of ${size} entries has no entry ${position}`)
    }
    if (!Number.isInteger(value) || value < 0 || value >= 1 << bits) {
      throw new Error(`${value} is not a status of ${bits} bits`)
    }
    const at = (position * bits) >>> 3
    const shift = (position * bits) & 7
    bytes.writeUInt8((bytes.readUInt8(at) & ~(((1 << bits) - 1) << shift)) | (value << shift), at)
  }
  return bytes
}

/** Compresses with zlib (section 4.1), at the level that the draft recommends, on another thread. */
export async function compressStatuses(bytes: Uint8Array): Promise<Buffer> {
  return deflateBytes(bytes, { level: constants.Z_BEST_COMPRESSION })
}

const deflateBytes: (bytes: Uint8Array, options: object) => Promise<Buffer> = promisify(deflate)

/** The content of a token. Dates are rounded down to whole seconds, as NumericDate. */
export interface StatusListToken {
  readonly format: StatusListFormat
  readonly bits: StatusBits
  /** The URL of the list, as in credentials. */
  readonly uri: string
  readonly issuedAt: Date
  readonly expiresAt: Date
  readonly ttlSeconds: number
  /** The result of `packStatuses`, compressed with zlib. */
  readonly compressed: Uint8Array
  /** The URL with the lists of the issuer, as in the draft. */
  readonly aggregationUri?: string | undefined
  /** The DER of the signer's certificate, which is the complete chain in the token. */
  readonly certificate: Uint8Array
}

/** Builds the list as a CWT (section 5.2), with members in the order of the draft's example. `alg` is a COSE algorithm. */
export function buildStatusListCwt(token: StatusListToken, alg: number): UnsignedCwt {
  const { type, claims, protectedHeader } = dialects[token.format]
  const { bits, uri, issuedAt, expiresAt, ttlSeconds, compressed, aggregationUri } = token
  const list: CborMap = new Map<CborValue, CborValue>([
    ['bits', bits],
    ['lst', compressed],
  ])
  if (aggregationUri !== undefined) list.set('aggregation_uri', aggregationUri)
  return {
    // ISO/IEC 18013-5, second edition, 12.3.6.3: the certificate is protected.
    protectedHeader: new Map<CborValue, CborValue>(protectedHeader(type, alg, token.certificate)),
    claims: new Map<CborValue, CborValue>([
      [cwtClaim.sub, uri],
      [cwtClaim.iat, numericDate(issuedAt)],
      [cwtClaim.exp, numericDate(expiresAt)],
      [claims.ttl, ttlSeconds],
      [claims.list, list],
    ]),
  }
}

/** Builds the list as a JWT (section 5.1). Both formats use the names of the draft. */
export function buildStatusListJwt(token: StatusListToken): { header: object; claims: object } {
  const { bits, uri, issuedAt, expiresAt, ttlSeconds, compressed, aggregationUri, certificate } = token
  return {
    header: { typ: 'statuslist+jwt', x5c: [Buffer.from(certificate).toString('base64')] },
    claims: {
      sub: uri,
      iat: numericDate(issuedAt),
      exp: numericDate(expiresAt),
      ttl: ttlSeconds,
      status_list: {
        bits,
        lst: Buffer.from(compressed).toString('base64url'),
        ...(aggregationUri !== undefined && { aggregation_uri: aggregationUri }),
      },
    },
  }
}
