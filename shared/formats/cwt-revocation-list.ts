import { cwtClaim, cwtHeader, numericDate, type UnsignedCwt } from './cwt.ts'

/** What a revocation list of the compact formats is made of. Dates are cut to whole seconds, as NumericDate. */
export interface CwtRevocationListInput {
  /** The issuer's DID; `kid` names its key, as in a credential. */
  readonly issuer: string
  readonly kid: string
  /** COSE algorithm of the key. */
  readonly alg: number
  readonly issuedAt: Date
  readonly expiresAt: Date
  /** The bits of the list (`bitsOf`), in gzip. */
  readonly compressedBits: Uint8Array
}

/** The CWT that `status` of a compact credential points to, in the order of the reference platform's own. */
export function buildCwtRevocationList(input: CwtRevocationListInput): UnsignedCwt {
  const { issuer, issuedAt, expiresAt, compressedBits } = input
  const claims: UnsignedCwt['claims'] = new Map()
  claims.set(cwtClaim.iss, issuer)
  claims.set(cwtClaim.iat, numericDate(issuedAt))
  claims.set(cwtClaim.exp, numericDate(expiresAt))
  claims.set(cwtClaim.revocationList, compressedBits)
  return { protectedHeader: cwtHeader(input), claims }
}
