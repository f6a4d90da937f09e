import { certificateFromBase64, certificateFromPem } from './certificate.ts'
import { FormatError } from './format-error.ts'
import { type PublicJwk, publicJwk } from './jwk.ts'
import { longestChain, verifyChain } from './x509-chain.ts'

export interface Certified {
  /** The key that the leaf certifies. */
  publicJwk: PublicJwk
  /** Whether the chain holds the root itself, which some profiles forbid (HAIP 1.0, section 4.4.1). */
  hasRoot: boolean
}

/**
 * Follows an `x5c` (RFC 7515, section 4.1.6) to one of the trusted roots (PEM). Throws `invalid_certificate` with what is
 * wrong, and `invalid_jwk` for a key that signs no JWS here.
 */
export function verifyX5c(x5c: readonly string[], roots: readonly string[], at: Date): Certified {
  // One too many is enough to see that there are too many.
  const chain = x5c.slice(0, longestChain + 1).map(certificateFromBase64)
  const verdict = verifyChain({ chain, roots: roots.map(certificateFromPem), at })
  if (!verdict.isTrusted) throw new FormatError('invalid_certificate', verdict.message)
  return { publicJwk: publicJwk(verdict.leaf.publicKey), hasRoot: verdict.hasRoot }
}
