import { ed25519 } from '@noble/curves/ed25519.js'
import { FormatError } from './format-error.ts'
import type { OkpPublicJwk } from './jwk.ts'

/** Derives the X25519 key of a public Ed25519 key (RFC 7748, section 4.1). Throws `invalid_jwk` for an invalid point. */
export function agreementJwkOf(jwk: OkpPublicJwk): OkpPublicJwk {
  try {
    const x = ed25519.utils.toMontgomery(Buffer.from(jwk.x, 'base64url'))
    return { kty: 'OKP', crv: 'X25519', x: Buffer.from(x).toString('base64url') }
  } catch (error) {
    throw new FormatError('invalid_jwk', 'not a point of Ed25519', { cause: error })
  }
}
