import { z } from 'zod'
import { described, exampleDid, named } from '../../http/fields.ts'
import { exampleCredential } from '../stored/present.ts'

const flag = z
  .union(
    [
      z.boolean(),
      named('FlagInForm', 'A boolean in a form', z.enum(['true', 'false'])).transform((text) => text === 'true'),
    ],
    'Must be true or false',
  )
  .default(true)

const Issuers = z.array(z.string().max(2_000), 'Must be a list of DIDs').max(1_000, 'Must have at most 1,000 issuers')

/** A form repeats the field or has a JSON array. */
const IssuersInForm = z
  .string()
  .max(100_000)
  .transform((text, context) => {
    const issuers = Issuers.safeParse(text.startsWith('[') ? parsed(text) : [text])
    if (issuers.success) return issuers.data
    context.addIssue({ code: 'custom', message: 'Must be a DID or a JSON array of DIDs' })
    return z.NEVER
  })

const times = {
  assertValidFrom: flag.describe('Whether to check that its validity has started'),
  assertValidUntil: flag.describe('Whether to check that it has not expired'),
  checkRevocation: flag.describe('Whether to check that it is not revoked, if it names a status list'),
}

export const CwtAssertions = named(
  'VerifyCwtRequest',
  'The checks of a CWT credential',
  z.object({
    trustedIssuers: z
      .union([Issuers, IssuersInForm])
      .optional()
      .describe('The DIDs of the accepted issuers. Default: every issuer whose DID can be resolved.'),
    ...times,
  }),
)

export const WebSemanticAssertions = named(
  'VerifyWebSemanticRequest',
  'A web semantic credential and the checks to do',
  z.object({
    payload: z
      .record(z.string(), z.unknown(), 'Must be a credential')
      .meta({ description: 'The credential with its proof', examples: [exampleCredential] }),
    ...times,
  }),
)

const VerificationFailure = named(
  'VerificationFailure',
  'The first check that failed',
  z.object({
    type: z.string().describe('The check that failed, as a code'),
    message: z.string().describe('Why the check failed, as a text'),
  }),
)

const isVerified = described(z.boolean(), 'Whether all checks passed', true)

export const WebSemanticVerification = named(
  'WebSemanticVerification',
  'The result of the verification of a web semantic credential',
  z.object({
    verified: isVerified,
    reason: VerificationFailure.optional().describe('Absent if the credential is verified'),
  }),
)

const Decoded = z.looseObject({
  iss: described(z.string(), 'The DID that issued it', exampleDid),
  nbf: z.int().optional().describe('The start of its validity, in seconds since 1970'),
  exp: z.int().optional().describe('The end of its validity, in seconds since 1970'),
  iat: z.int().optional().describe('When it was issued, in seconds since 1970'),
  jti: z.string().optional().describe('Its id'),
})

export const CompactVerification = named(
  'CompactVerification',
  'The result of the verification of a compact credential',
  z.object({
    verified: isVerified,
    decoded: described(
      Decoded.extend({ type: z.unknown().optional().describe('The type of the credential') }),
      'The claims of the credential. Absent if it cannot be read.',
      { iss: exampleDid, iat: 1_795_339_800, type: 'CourseCertificate', given_name: 'Ada', level: 'B1' },
    ).optional(),
    error: z
      .object({
        type: z.string().describe('The first check that failed, as a code'),
        message: z.string().describe('Why the check failed, as a text'),
        details: z.record(z.string(), z.string()).describe('Details of the failure, if there are any'),
      })
      .optional()
      .describe('Absent if the credential is verified'),
  }),
)

export const CompactSemanticVerification = named(
  'CompactSemanticVerification',
  'The result of the verification of a compact semantic credential',
  z.object({
    verified: isVerified,
    reason: z
      .array(
        z.object({
          type: z.string().describe('The check that failed, as a code'),
          msg: z.string().describe('Why the check failed, as a text'),
        }),
      )
      .describe('Empty if the credential is verified'),
    decoded: described(
      Decoded.extend({ vc: z.unknown().optional().describe('The credential in the W3C data model') }),
      'The claims of the credential. Absent if it cannot be read.',
      {
        iss: exampleDid,
        nbf: 1_795_339_800,
        vc: { type: ['VerifiableCredential', 'Pass'], credentialSubject: { given_name: 'Ada' } },
      },
    ).optional(),
  }),
)

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
