import { hash } from 'node:crypto'
import { isJwsAlgorithm, isSignatureOf, type JwsAlgorithm } from '../compact-jws.ts'
import type { PublicJwk } from '../jwk.ts'
import { SdJwtError } from './decoder-checks.ts'
import { maxDisclosures, maxSdJwtLength } from './limits.ts'
import { type JsonObject, type ReadJwt, readJwt } from './read-jwt.ts'
import { rebuildClaims } from './rebuild-claims.ts'

/** An SD-JWT VC as read. Only `isSignedWith` verifies its signature. The caller checks trust, times and status. */
export interface DecodedSdJwt {
  readonly header: JsonObject
  readonly alg: JwsAlgorithm
  /** The payload as signed, with digests. */
  readonly payload: JsonObject
  /** The claims that are visible or disclosed (RFC 9901, section 7.1: the processed payload). */
  readonly claims: JsonObject
  /** The hash that a key binding JWT must have (RFC 9901, section 4.3.1). */
  readonly sdHash: string
  /** The key binding JWT. `checkKeyBinding` checks it. */
  readonly keyBindingJwt?: ReadJwt
  /** Returns false for an invalid signature, and for a key that does not match the algorithm. */
  isSignedWith(jwk: PublicJwk): boolean
}

/** The hash algorithms by `_sd_alg` (IANA Named Information Hash Algorithm Registry), with the name in Node.js. */
const hashes = new Map([
  ['sha-256', 'sha256'],
  ['sha-384', 'sha384'],
  ['sha-512', 'sha512'],
])

/**
 * Decodes an SD-JWT VC in compact serialization, with or without a key binding JWT, and rebuilds its claims (RFC 9901, section 7.1).
 * `type` is the expected `typ`. Throws an `SdJwtError` that names the failed check. The time is linear in the length.
 */
export function decodeSdJwt(text: string, type = 'dc+sd-jwt'): DecodedSdJwt {
  const { jwt, disclosures, keyBinding, presented } = splitSdJwt(text)
  const { header, payload, signingInput, signature } = readJwt(jwt, 'JwtForm')
  const { typ, alg, crit } = header
  if (typ !== type) throw new SdJwtError('JwtType')
  if (!isJwsAlgorithm(alg)) throw new SdJwtError('JwtAlgorithm')
  if (crit !== undefined) throw new SdJwtError('JwtExtensions')
  const digestOf = findHash(payload)
  return {
    header,
    alg,
    payload,
    claims: rebuildClaims(payload, disclosures, digestOf),
    sdHash: digestOf(presented),
    ...(keyBinding !== '' && { keyBindingJwt: readJwt(keyBinding, 'KeyBindingForm') }),
    isSignedWith: (jwk) => isSignatureOf(jwk, alg, signingInput, signature),
  }
}

interface SdJwtParts {
  readonly jwt: string
  readonly disclosures: readonly string[]
  /** Empty without key binding. */
  readonly keyBinding: string
  /** The text up to the last tilde, which a key binding JWT covers. */
  readonly presented: string
}

/** Splits the parts (RFC 9901, section 4). The last part is empty or the key binding JWT. */
function splitSdJwt(text: string): SdJwtParts {
  if (text.length > maxSdJwtLength) throw new SdJwtError('SdJwtSize')
  const [jwt = '', ...rest] = text.split('~', maxDisclosures + 3)
  if (rest.length > maxDisclosures + 1) throw new SdJwtError('SdJwtSize')
  const keyBinding = rest.pop()
  if (keyBinding === undefined) throw new SdJwtError('SdJwtForm')
  return { jwt, disclosures: rest, keyBinding, presented: text.slice(0, text.length - keyBinding.length) }
}

/** RFC 9901, section 4.1.1: the hash algorithm is SHA-256 unless the payload names another one. */
function findHash({ _sd_alg: name = 'sha-256' }: JsonObject): (text: string) => string {
  const algorithm = typeof name === 'string' ? hashes.get(name) : undefined
  if (algorithm === undefined) throw new SdJwtError('HashAlgorithm')
  return (text) => hash(algorithm, text, 'base64url')
}
