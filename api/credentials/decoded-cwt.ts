import { numericDate } from '../../shared/formats/cwt.ts'
import type { CwtCredential } from '../../shared/formats/cwt-verify.ts'

/**
 * Returns the claims of a CWT credential with their JWT names and dates in seconds. Custom claims cannot replace registered
 * claims.
 */
export function decodedCwt(credential: CwtCredential) {
  const { issuer, subject, audience, notBefore, expiresAt, issuedAt, credentialId, status, holderJwk, claims } =
    credential
  const registered = {
    iss: issuer,
    ...(subject !== undefined && { sub: subject }),
    ...(audience !== undefined && { aud: audience }),
    ...(notBefore && { nbf: numericDate(notBefore) }),
    ...(expiresAt && { exp: numericDate(expiresAt) }),
    ...(issuedAt && { iat: numericDate(issuedAt) }),
    ...(credentialId !== undefined && { jti: `urn:uuid:${credentialId}` }),
  }
  const derived = { ...(status && { status }), ...(holderJwk && { cnf: { jwk: holderJwk } }) }
  return { ...registered, ...claims, ...registered, ...derived }
}
