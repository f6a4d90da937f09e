import { type DecoderCheck, decoderChecks } from '../../../../shared/formats/sd-jwt/decoder-checks.ts'

/** The checks of an SD-JWT VC behind its decoding: where each is required, and the message of its failure. */
const checks = {
  CertificateChain: ['HAIP 1.0, section 6.1.1', 'The certificate chain (x5c) does not lead to a trusted issuer'],
  SignerPurpose: ['RFC 5280, section 4.2.1.12', 'The certificate of the signer is not for signing credentials'],
  JwtSignature: ['RFC 9901, section 7.1, step 2.b', 'The signature of the issuer is invalid'],
  CredentialType: [
    'draft-ietf-oauth-sd-jwt-vc, section "Verifiable Credential Type"',
    'The credential has no type (vct)',
  ],
  NotYetValid: ['RFC 7519, section 4.1.5', 'The credential is not valid yet'],
  Expired: ['RFC 7519, section 4.1.4', 'The credential has expired'],
  Revoked: ['draft-ietf-oauth-status-list, section 7.1', 'The credential is revoked'],
  Suspended: ['draft-ietf-oauth-status-list, section 7.1', 'The credential is suspended'],
  StatusUnknown: ['draft-ietf-oauth-status-list, section 8.3', 'The status of the credential cannot be determined'],
} as const satisfies Record<string, readonly [clause: string, message: string]>

export type SdJwtCheck = keyof typeof checks | DecoderCheck

/** A failed check. The caller of the API receives all fields. */
export interface SdJwtFailure {
  check: SdJwtCheck
  /** The clause that requires the check. */
  clause: string
  message: string
}

/** Returns the failure of a check. `why` adds the reason. It contains no claim. */
export function failed(check: SdJwtCheck, why?: string): SdJwtFailure {
  const [clause, message] = { ...decoderChecks, ...checks }[check]
  return { check, clause, message: why === undefined ? message : `${message}: ${why}` }
}
