import { numericDate } from '../../shared/formats/cwt.ts'
import type { CwtCredential } from '../../shared/formats/cwt-verify.ts'

/** What a CWT credential says, by the names that JWTs have for it; dates in seconds. Its own claims take none of those names. */
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
  const told = { ...(status && { status }), ...(holderJwk && { cnf: { jwk: holderJwk } }) }
  return { ...registered, ...claims, ...registered, ...told }
}
