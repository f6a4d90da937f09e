import { z } from 'zod'
import { described, idOf, named, PemCertificate } from '../../../http/fields.ts'
import { exampleSdJwt } from '../../stored/present-sd-jwt.ts'

const isChecked = (description: string) => z.boolean().default(true).describe(description)

export const SdJwtAssertions = named(
  'VerifySdJwtRequest',
  'An SD-JWT VC and the checks to do',
  z.object({
    payload: described(
      z.string().min(1).max(500_000),
      'The SD-JWT VC with its disclosures, and with the key binding JWT of the holder if there is one. At most 500 KB',
      exampleSdJwt,
    ),
    trustedIssuers: z
      .union([
        z.array(PemCertificate).max(100),
        named(
          'TrustedEcosystem',
          'An ecosystem of the tenant. The roots are the certificates of its issuers for the type of the credential',
          z.strictObject({ ecosystemId: idOf('ecosystem').describe('The ecosystem') }),
        ),
      ])
      .optional()
      .describe("The trusted roots in PEM, or an ecosystem. Default: the tenant's own IACAs and its trusted issuers"),
    requireSignerEku: z
      .boolean()
      .optional()
      .describe(
        "Whether the signer's certificate must have an extended key usage for credentials: 1.0.18013.5.1.2, 1.0.18013.5.1.3 or 1.0.23220.4.1.2. Default: true below the tenant's own IACAs and for an ecosystem, false below trusted issuers and given roots. A critical one is always checked",
      ),
    keyBinding: named(
      'ExpectedKeyBinding',
      "The expected proof of the holder's key",
      z.object({
        nonce: z.string().min(1).max(1_000).describe('The nonce of the presentation request'),
        audience: z.string().min(1).max(2_000).describe('The verifier, as in the presentation request'),
        maxAge: z.int().min(1).max(86_400).default(300).describe('The maximum age of the proof, in seconds'),
      }),
    )
      .optional()
      .describe('Absent: no proof is required, and a proof is not checked'),
    assertValidFrom: isChecked('Whether to check that its validity has started'),
    assertValidUntil: isChecked('Whether to check that it has not expired'),
    checkRevocation: isChecked('Whether to check its status, if it refers to a status list'),
  }),
)

const Issuer = named(
  'SdJwtIssuer',
  'The subject of the certificate that signed an SD-JWT VC',
  z.object({
    subject: described(z.string(), 'The attributes of the subject', 'C=NZ, CN=University'),
    fingerprint: described(z.string(), 'The SHA-256 of the certificate, in hex', 'd5'.repeat(32)),
    names: described(z.array(z.string()), 'The URIs and DNS names of the certificate', [
      'https://university.trustwright.example',
    ]),
    iss: named(
      'SdJwtIss',
      'The claim `iss` of the credential',
      z.object({
        value: z.unknown().describe('The claim as signed'),
        isProven: described(z.boolean(), 'Whether a URI of the certificate equals it, or a DNS name is its host', true),
      }),
    )
      .optional()
      .describe('Absent if the credential has no `iss`'),
  }),
)

export const SdJwtVerificationView = named(
  'SdJwtVerification',
  'The result of the verification of an SD-JWT VC',
  z.object({
    verified: described(z.boolean(), 'Whether all checks passed', true),
    claims: described(
      z.record(z.string(), z.unknown()),
      'The visible and disclosed claims, without an `iss` that the certificate of the issuer does not prove. Absent if no trusted issuer has signed them',
      { vct: 'urn:example:student-card', iat: 1_795_305_600, given_name: 'Ada' },
    ).optional(),
    issuer: Issuer.optional().describe(
      'The subject of the certificate that signed. Absent if no trusted issuer has signed',
    ),
    failures: z
      .array(
        named(
          'SdJwtFailure',
          'A check that failed',
          z.object({
            check: z.string().describe('The check, as a code'),
            clause: z.string().describe('The clause that requires the check'),
            message: z.string().describe('Why the check failed, as a text'),
          }),
        ),
      )
      .describe('The checks that failed. Empty if the credential is verified'),
  }),
)
