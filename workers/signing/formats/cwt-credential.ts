import { type CwtInput, cwtPrefix, encodeCwtCredential, type UnsignedCwt } from '../../../shared/formats/cwt.ts'
import { signCwt } from './sign-cwt.ts'
import type { SigningInput } from './signing-input.ts'

/** Builds, signs and verifies one CWT credential. Throws `signature_mismatch` when the key pair does not match. */
export function signCwtCredential(
  format: 'compact' | 'compact-semantic',
  build: (input: CwtInput) => UnsignedCwt,
  input: SigningInput,
): string {
  const cose = signCwt(input.key, (alg) =>
    build({
      issuer: input.issuerDid,
      kid: input.key.kid,
      alg,
      issuedAt: input.issuedAt,
      notBefore: input.validFrom,
      expiresAt: input.validUntil,
      credentialId: input.credentialId,
      type: input.type,
      claims: input.claims,
      status: input.status,
      subject: input.subject,
      audience: input.audience,
      holder: input.holder,
    }),
  )
  return encodeCwtCredential(cwtPrefix[format], cose)
}
