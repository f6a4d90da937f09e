import { type CwtFrame, cwtPrefix, encodeCwtCredential, type UnsignedCwt } from '../../../shared/formats/cwt.ts'
import { signCwt } from './sign-cwt.ts'
import type { SigningInput } from './signing-input.ts'

/** What a CWT credential is signed from, whatever it says. */
export type CwtSigningInput = Omit<SigningInput, 'type' | 'claims' | 'validFrom'> & {
  readonly validFrom?: Date | undefined
}

/**
 * Builds, signs and verifies one CWT credential; `build` adds what it says. Throws `signature_mismatch` when the key pair does
 * not match.
 */
export function signCwtCredential(
  format: 'compact' | 'compact-semantic',
  build: (frame: CwtFrame) => UnsignedCwt,
  input: CwtSigningInput,
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
      status: input.status,
      subject: input.subject,
      audience: input.audience,
      holder: input.holder,
    }),
  )
  return encodeCwtCredential(cwtPrefix[format], cose)
}
