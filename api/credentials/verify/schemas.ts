import { z } from 'zod'
import { described, exampleDid, named } from '../../http/fields.ts'
import { exampleCredential } from '../stored/present.ts'

const flag = z
  .union(
    [z.boolean(), named('FlagInForm', 'In a form', z.enum(['true', 'false'])).transform((text) => text === 'true')],
    'Must be true or false',
  )
  .default(true)

const Issuers = z.array(z.string().max(2_000), 'Must be DIDs').max(1_000, 'At most 1,000 issuers')

/** In a form it is repeated, or a JSON array. */
const IssuersInForm = z
  .string()
  .max(100_000)
  .transform((text, context) => {
    const issuers = Issuers.safeParse(text.startsWith('[') ? parsed(text) : [text])
    if (issuers.success) return issuers.data
    context.addIssue({ code: 'custom', message: 'Must be a DID, or a JSON array of DIDs' })
    return z.NEVER
  })

const times = {
  assertValidFrom: flag.describe('That it is valid already'),
  assertValidUntil: flag.describe('That it is not expired'),
  checkRevocation: flag.describe('That it is not revoked, where it names a list'),
}

export const CwtAssertions = named(
  'VerifyCwtRequest',
  'What is checked of a credential that is a CWT',
  z.object({
    trustedIssuers: z
      .union([Issuers, IssuersInForm])
      .optional()
      .describe('The DIDs of issuers that count; without it, every issuer whose DID can be resolved'),
    ...times,
  }),
)

export const WebSemanticAssertions = named(
  'VerifyWebSemanticRequest',
  'A web semantic credential, and what is checked of it',
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
    type: z.string().describe('Which check it was, as a word for programs'),
    message: z.string().describe('What was wrong, for people'),
  }),
)

const isVerified = described(z.boolean(), 'Whether all checks were good', true)

export const WebSemanticVerification = named(
  'WebSemanticVerification',
  'What a web semantic credential was found to be',
  z.object({
    verified: isVerified,
    reason: VerificationFailure.optional().describe('Absent where it is verified'),
  }),
)

const Decoded = z.looseObject({
  iss: described(z.string(), 'The DID that issued it', exampleDid),
  nbf: z.int().optional().describe('From when it is valid, in seconds since 1970'),
  exp: z.int().optional().describe('Until when it is valid, in seconds since 1970'),
  iat: z.int().optional().describe('When it was issued, in seconds since 1970'),
  jti: z.string().optional().describe('Its id'),
})

export const CompactVerification = named(
  'CompactVerification',
  'What a compact credential was found to be',
  z.object({
    verified: isVerified,
    decoded: described(
      Decoded.extend({ type: z.unknown().optional().describe('The type of the credential') }),
      'What it says; absent where it could not be read',
      { iss: exampleDid, iat: 1_795_339_800, type: 'CourseCertificate', given_name: 'Ada', level: 'B1' },
    ).optional(),
    error: z
      .object({
        type: z.string().describe('Which check failed first, as a word for programs'),
        message: z.string().describe('What was wrong, for people'),
        details: z.record(z.string(), z.string()).describe('More of it, where there is more'),
      })
      .optional()
      .describe('Absent where it is verified'),
  }),
)

export const CompactSemanticVerification = named(
  'CompactSemanticVerification',
  'What a compact semantic credential was found to be',
  z.object({
    verified: isVerified,
    reason: z
      .array(
        z.object({
          type: z.string().describe('Which check failed, as a word for programs'),
          msg: z.string().describe('What was wrong, for people'),
        }),
      )
      .describe('Empty where it is verified'),
    decoded: described(
      Decoded.extend({ vc: z.unknown().optional().describe('The credential, as the W3C data model has it') }),
      'What it says; absent where it could not be read',
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
