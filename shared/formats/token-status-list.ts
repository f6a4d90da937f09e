import { promisify } from 'node:util'
import { constants, deflate } from 'node:zlib'
import type { CborMap, CborValue } from './cbor.ts'
import { coseHeader } from './cose.ts'
import { cwtClaim, numericDate, type UnsignedCwt } from './cwt.ts'

/**
 * How a tenant's token status lists are written: as draft 14 of Token Status List (draft-ietf-oauth-status-list) has it, or as
 * verifiers of before know them, who have claim keys and a type of their own.
 */
export type StatusListFormat = 'draft14' | 'legacy'

/** How many bits an entry takes (draft 14, section 4.1). */
export type StatusBits = 1 | 2 | 4 | 8

/** Section 7.1 of the draft. */
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

export const statusBitsOf = (format: StatusListFormat): StatusBits => dialects[format].bits

/** An entry that is not 0. */
export interface SetEntry {
  /** In the list, from 0. */
  readonly position: number
  readonly value: number
}

/**
 * The array of a list of `size` entries: the first of them in the least significant bits of the first byte (section 4.1). Throws
 * for an entry outside of the list, and for a value that has no room in its bits.
 */
export function packStatuses(entries: Iterable<SetEntry>, size: number, bits: StatusBits): Buffer {
  const bytes = Buffer.alloc(Math.ceil((size * bits) / 8))
  for (const { position, value } of entries) {
    if (!Number.isInteger(position) || position < 0 || position >= size) {
      throw new Error(`a list of ${size} entries has no entry ${position}`)
    }
    if (!Number.isInteger(value) || value < 0 || value >= 1 << bits) {
      throw new Error(`${value} is no status in ${bits} bits`)
    }
    const at = (position * bits) >>> 3
    const shift = (position * bits) & 7
    bytes.writeUInt8((bytes.readUInt8(at) & ~(((1 << bits) - 1) << shift)) | (value << shift), at)
  }
  return bytes
}

/** In zlib (section 4.1), at the level that the draft advises; on a thread of its own. */
export async function compressStatuses(bytes: Uint8Array): Promise<Buffer> {
  return deflateBytes(bytes, { level: constants.Z_BEST_COMPRESSION })
}

const deflateBytes: (bytes: Uint8Array, options: object) => Promise<Buffer> = promisify(deflate)

/** What a token is made of. Dates are cut to whole seconds, as NumericDate. */
export interface StatusListToken {
  readonly format: StatusListFormat
  /** Where the list is served, as credentials name it. */
  readonly uri: string
  readonly issuedAt: Date
  readonly expiresAt: Date
  readonly ttlSeconds: number
  /** The array (`packStatuses`), in zlib. */
  readonly compressed: Uint8Array
  /** Where the issuer's lists are named, as the draft has it. */
  readonly aggregationUri?: string | undefined
  /** DER of the certificate whose key signs; it is all of the chain that is sent. */
  readonly certificate: Uint8Array
}

/** The list in a CWT (section 5.2), its members in the order of the draft's own example. `alg` is a COSE algorithm. */
export function buildStatusListCwt(token: StatusListToken, alg: number): UnsignedCwt {
  const { bits, type, claims, protectedHeader } = dialects[token.format]
  const { uri, issuedAt, expiresAt, ttlSeconds, compressed, aggregationUri } = token
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

/** The same in a JWT (section 5.1), which has the draft's names in either format. */
export function buildStatusListJwt(token: StatusListToken): { header: object; claims: object } {
  const { format, uri, issuedAt, expiresAt, ttlSeconds, compressed, aggregationUri, certificate } = token
  return {
    header: { typ: 'statuslist+jwt', x5c: [Buffer.from(certificate).toString('base64')] },
    claims: {
      sub: uri,
      iat: numericDate(issuedAt),
      exp: numericDate(expiresAt),
      ttl: ttlSeconds,
      status_list: {
        bits: statusBitsOf(format),
        lst: Buffer.from(compressed).toString('base64url'),
        ...(aggregationUri !== undefined && { aggregation_uri: aggregationUri }),
      },
    },
  }
}
