import { type CwtFrame, cwtPrefix, encodeCwtCredential, type UnsignedCwt } from '../../../shared/formats/cwt.ts'
import { signCwt } from './sign-cwt.ts'
import type { SigningInput } from './signing-input.ts'

/** The input of a CWT credential without its content. */
export type CwtSigningInput = Omit<SigningInput, 'type' | 'claims' | 'validFrom'> & {
  readonly validFrom?: Date | undefined
}

/**
 * Builds, signs and verifies one CWT credential. `build` adds its content. Throws `signature_mismatch` if the key pair does not
 * match.
 */
export async function signCwtCredential(
  format: 'compact' | 'compact-semantic',
  build: (frame: CwtFrame) => UnsignedCwt,
  input: CwtSigningInput,
): Promise<string> {
  const cose = await signCwt(input.key.signer, (alg) =>
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
