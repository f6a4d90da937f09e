import { numericDate } from '../../../shared/formats/cwt.ts'
import { decodeCwtCredential } from '../../../shared/formats/cwt-verify.ts'

/** What a CWT credential says, by the names that JWTs have for it. */
export function decodedOf(encoded: string) {
  const {
    issuer: iss,
    subject,
    audience,
    notBefore,
    issuedAt,
    expiresAt,
    credentialId,
    claims,
    status,
  } = decodeCwtCredential(encoded)
  return {
    iss,
    ...(subject === undefined ? {} : { sub: subject }),
    ...(audience === undefined ? {} : { aud: audience }),
    ...(notBefore && { nbf: numericDate(notBefore) }),
    ...(expiresAt && { exp: numericDate(expiresAt) }),
    ...(issuedAt && { iat: numericDate(issuedAt) }),
    jti: `urn:uuid:${credentialId}`,
    ...claims,
    ...(status && { status }),
  }
}
