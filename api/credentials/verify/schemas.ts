import { z } from 'zod'

const flag = z
  .union([z.boolean(), z.enum(['true', 'false']).transform((text) => text === 'true')], 'Must be true or false')
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

export const CwtAssertions = z.object({
  trustedIssuers: z
    .union([Issuers, IssuersInForm])
    .optional()
    .describe('The DIDs of issuers that count; without it, every issuer whose DID can be resolved'),
  ...times,
})

export const WebSemanticAssertions = z.object({
  payload: z.record(z.string(), z.unknown(), 'Must be a credential').describe('The credential with its proof'),
  ...times,
})

export const WebSemanticVerification = z.object({
  verified: z.boolean(),
  reason: z.object({ type: z.string(), message: z.string() }).optional().describe('Absent where it is verified'),
})

const Decoded = z.looseObject({
  iss: z.string(),
  nbf: z.int().optional(),
  exp: z.int().optional(),
  iat: z.int().optional(),
  jti: z.string().optional(),
})

export const CompactVerification = z.object({
  verified: z.boolean(),
  decoded: Decoded.extend({ type: z.unknown().optional() }).optional().describe('Absent where it could not be read'),
  error: z.object({ type: z.string(), message: z.string(), details: z.record(z.string(), z.string()) }).optional(),
})

export const CompactSemanticVerification = z.object({
  verified: z.boolean(),
  reason: z.array(z.object({ type: z.string(), msg: z.string() })).describe('Empty where it is verified'),
  decoded: Decoded.extend({ vc: z.unknown().optional() }).optional().describe('Absent where it could not be read'),
})

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
