import { foreignClockToleranceMs } from '../../clock.ts'
import { isJwsAlgorithm, isSignatureOf } from '../compact-jws.ts'
import { FormatError } from '../format-error.ts'
import { isJsonObject } from '../json-object.ts'
import { type PublicJwk, parsePublicJwk } from '../jwk.ts'
import type { DecodedSdJwt } from './decode-sd-jwt.ts'
import { SdJwtError } from './decoder-checks.ts'

/** The values that a verifier expects in the holder's proof. */
export interface ExpectedKeyBinding {
  readonly nonce: string
  readonly audience: string
  readonly maxAgeMs: number
}

/**
 * Checks the key binding JWT of a presentation (RFC 9901, section 7.3, step 5). Throws an `SdJwtError` that names the failed check. The
 * signature of the issuer must be verified first, because it protects the key of the holder.
 */
export function checkKeyBinding(decoded: DecodedSdJwt, expected: ExpectedKeyBinding, now: Date): void {
  const { keyBindingJwt, claims, sdHash } = decoded
  if (!keyBindingJwt) throw new SdJwtError('KeyBindingRequired')
  const { header, payload, signingInput, signature } = keyBindingJwt
  const holderKey = readHolderKey(claims)
  if (!isJwsAlgorithm(header.alg)) throw new SdJwtError('KeyBindingAlgorithm')
  if (header.crit !== undefined) throw new SdJwtError('KeyBindingExtensions')
  if (!isSignatureOf(holderKey, header.alg, signingInput, signature)) throw new SdJwtError('KeyBindingSignature')
  if (header.typ !== 'kb+jwt') throw new SdJwtError('KeyBindingType')
  const { iat, exp, nbf, aud, nonce, sd_hash: hash } = payload
  if (typeof iat !== 'number' || [aud, nonce, hash].some((each) => typeof each !== 'string')) {
    throw new SdJwtError('KeyBindingForm')
  }
  if (!isCurrent(exp, nbf, now)) throw new SdJwtError('KeyBindingTime')
  const ageMs = now.getTime() - iat * 1000
  if (ageMs > expected.maxAgeMs || ageMs < -foreignClockToleranceMs) throw new SdJwtError('KeyBindingTime')
  if (nonce !== expected.nonce) throw new SdJwtError('KeyBindingNonce')
  if (aud !== expected.audience) throw new SdJwtError('KeyBindingAudience')
  if (hash !== sdHash) throw new SdJwtError('KeyBindingHash')
}

/** RFC 7519, sections 4.1.4 and 4.1.5. A time that is not a number is no time at which the proof is valid. */
function isCurrent(exp: unknown, nbf: unknown, now: Date): boolean {
  const hasEnded =
    exp !== undefined && !(typeof exp === 'number' && exp * 1000 > now.getTime() - foreignClockToleranceMs)
  const hasBegun =
    nbf === undefined || (typeof nbf === 'number' && nbf * 1000 <= now.getTime() + foreignClockToleranceMs)
  return hasBegun && !hasEnded
}

/** Returns the key of the holder (HAIP 1.0, section 6.1: `cnf.jwk`). */
function readHolderKey({ cnf }: DecodedSdJwt['claims']): PublicJwk {
  try {
    return parsePublicJwk(isJsonObject(cnf) ? cnf.jwk : undefined)
  } catch (error) {
    if (error instanceof FormatError) throw new SdJwtError('HolderKey')
    throw error
  }
}
