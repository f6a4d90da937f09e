import { encodeCbor } from '../../../shared/formats/cbor-encode.ts'
import { coseSigner, signSign1, verifySign1 } from '../../../shared/formats/cose.ts'
import { type CwtInput, cwtPrefix, encodeCwtCredential, type UnsignedCwt } from '../../../shared/formats/cwt.ts'
import { FormatError } from '../../../shared/formats/format-error.ts'
import type { SigningInput } from './signing-input.ts'

/** Builds, signs and verifies one CWT credential. Throws `signature_mismatch` when the key pair does not match. */
export function signCwtCredential(
  format: 'compact' | 'compact-semantic',
  build: (input: CwtInput) => UnsignedCwt,
  input: SigningInput,
): string {
  const { alg, sign } = coseSigner(input.key.privateKey)
  const { protectedHeader, claims } = build({
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
  })
  const cose = signSign1({ protectedHeader, payload: encodeCbor(claims), sign, tagged: true })
  if (!verifySign1(cose, input.key.publicKey).verified) {
    throw new FormatError('signature_mismatch', 'our own signature does not verify')
  }
  return encodeCwtCredential(cwtPrefix[format], cose)
}
