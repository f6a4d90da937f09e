import type { KeyObject } from 'node:crypto'
import { decodeCbor } from './cbor-decode.ts'
import { coseHeader, parseSign1, verifySign1 } from './cose.ts'
import { cwtClaim, cwtHeader, numericDate, type UnsignedCwt } from './cwt.ts'
import { readDate, readKid, readTextClaim } from './cwt-verify.ts'
import { FormatError } from './format-error.ts'

/** The content of a revocation list of the compact formats. Dates are rounded down to whole seconds, as NumericDate. */
export interface CwtRevocationListInput {
  /** The DID of the issuer. `kid` names its key, as in a credential. */
  readonly issuer: string
  readonly kid: string
  /** COSE algorithm of the key. */
  readonly alg: number
  readonly issuedAt: Date
  readonly expiresAt: Date
  /** The bits of the list (`bitsOf`), in gzip. */
  readonly compressedBits: Uint8Array
}

/** Builds the CWT to which `status` of a compact credential refers. The claims have the order of the reference platform. */
export function buildCwtRevocationList(input: CwtRevocationListInput): UnsignedCwt {
  const { issuer, issuedAt, expiresAt, compressedBits } = input
  const claims: UnsignedCwt['claims'] = new Map()
  claims.set(cwtClaim.iss, issuer)
  claims.set(cwtClaim.iat, numericDate(issuedAt))
  claims.set(cwtClaim.exp, numericDate(expiresAt))
  claims.set(cwtClaim.revocationList, compressedBits)
  return { protectedHeader: cwtHeader(input), claims }
}

/** A list as read. `isSignedBy` checks its signature. */
export interface CwtRevocationList {
  readonly issuer: string
  readonly kid: string
  readonly expiresAt?: Date | undefined
  /** The bits, compressed with gzip. */
  readonly compressedBits: Uint8Array
  isSignedBy(publicKey: KeyObject): boolean
}

/** Reads a list of any issuer. Throws `invalid_cwt`, `invalid_cose` or `invalid_cbor`. */
export function readCwtRevocationList(bytes: Uint8Array): CwtRevocationList {
  const { protectedHeader, unprotectedHeader, payload } = parseSign1(bytes)
  const claims = decodeCbor(payload)
  const compressedBits = claims instanceof Map ? claims.get(cwtClaim.revocationList) : undefined
  const issuer = claims instanceof Map ? readTextClaim(claims.get(cwtClaim.iss)) : undefined
  if (!(claims instanceof Map) || !(compressedBits instanceof Uint8Array) || issuer === undefined) {
    throw new FormatError('invalid_cwt', 'not a revocation list')
  }
  return {
    issuer,
    kid: readKid(protectedHeader.get(coseHeader.kid) ?? unprotectedHeader.get(coseHeader.kid)),
    expiresAt: readDate(claims.get(cwtClaim.exp)),
    compressedBits,
    isSignedBy: (publicKey) => verifySign1(bytes, publicKey).verified,
  }
}
