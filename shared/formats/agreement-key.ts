import { createPrivateKey, type KeyObject } from 'node:crypto'
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

/** Derives the private X25519 key of a private Ed25519 key, from the hash that Ed25519 signs with (RFC 8032, section 5.1.5). */
export function agreementKeyOf(privateKey: KeyObject): KeyObject {
  const { d, x } = privateKey.export({ format: 'jwk' })
  if (privateKey.asymmetricKeyType !== 'ed25519' || !d || !x) throw new Error('not a private key of Ed25519')
  const secret = ed25519.utils.toMontgomerySecret(Buffer.from(d, 'base64url'))
  const { x: publicX } = agreementJwkOf({ kty: 'OKP', crv: 'Ed25519', x })
  const jwk = { kty: 'OKP', crv: 'X25519', d: Buffer.from(secret).toString('base64url'), x: publicX }
  return createPrivateKey({ key: jwk, format: 'jwk' })
}
