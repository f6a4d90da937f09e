import { z } from 'zod'
import { dayMs, hourMs } from '../../../shared/clock.ts'
import {
  claimOfVerification,
  type LinkSignIn,
  maxClaimLinkMs,
  minClaimLinkMs,
} from '../../../shared/domain/issuance/claim-links.ts'
import { parseClaimPath } from '../../../shared/formats/claim-path.ts'
import { findAmbiguities, isPlain } from '../../../shared/formats/lossless-json.ts'
import { named } from '../../http/fields.ts'

/** A field of a form with JSON in it. It is refused for the same reasons as a JSON body (`parseJson`). */
export function jsonField<Content extends z.ZodType>(content: Content) {
  return z
    .string()
    .max(200_000)
    .transform((text, ctx): unknown => {
      const refuse = (message: string, path: string[] = []) => ctx.addIssue({ code: 'custom', path, message })
      try {
        const value: unknown = JSON.parse(text)
        const ambiguities = isPlain(text, value) ? [] : findAmbiguities(text)
        for (const { msg, param } of ambiguities) refuse(msg, param === '' ? [] : [param])
        return ambiguities.length > 0 ? z.NEVER : value
      } catch {
        refuse('Must be JSON')
        return z.NEVER
      }
    })
    .pipe(content)
}

/** The lifetime of claim links, in milliseconds. */
export const LinkLifetime = named(
  'LinkLifetime',
  'How long a claim link is valid, from 1 hour to 365 days',
  z
    .strictObject({
      days: z.number().int().min(0).max(365).default(0).describe('From 0 to 365'),
      hours: z.number().int().min(0).max(8760).default(0).describe('From 0 to 8760, added to the days'),
    })
    .transform(({ days, hours }) => days * dayMs + hours * hourMs)
    .refine((ms) => ms >= minClaimLinkMs && ms <= maxClaimLinkMs, 'Must be between 1 hour and 365 days'),
)

export const TransactionCode = z
  .union([
    z.boolean(),
    z.strictObject({
      inputMode: z.literal('numeric').default('numeric'),
      description: z.string().max(300).optional().describe('The text that the wallet shows with the code'),
    }),
  ])
  .transform((value): { description?: string } | undefined => {
    if (typeof value === 'boolean') return value ? {} : undefined
    return value.description === undefined ? {} : { description: value.description }
  })

/** Returns the path of a claim on the highest level. */
function pathOfClaim(name: string): string {
  return /^\w+$/.test(name) ? `claims.${name}` : `claims[${JSON.stringify(name)}]`
}

export const LinkSignInField = z
  .union([
    z.boolean(),
    z
      .strictObject({
        claim: z.string().min(1).max(200).describe('A claim of the person who signs in, such as `email`'),
        rowClaim: z
          .string()
          .refine(
            (path) => parseClaimPath(path)?.source === 'claims',
            'Must be the path of a claim such as claims.email',
          )
          .optional()
          .describe('The path of the claim of the row that must be equal. Default: the claim with the same name'),
        acceptUnverified: z
          .boolean()
          .default(false)
          .describe('`true`: also an `email` or `phone_number` that the provider has not verified can match'),
      })
      .refine(({ claim, acceptUnverified }) => !acceptUnverified || claimOfVerification(claim) !== undefined, {
        path: ['acceptUnverified'],
        message: 'Needs the claim email or phone_number',
      }),
  ])
  .transform((value): LinkSignIn | undefined => {
    if (typeof value === 'boolean') return value ? {} : undefined
    const { claim, rowClaim = pathOfClaim(claim), acceptUnverified } = value
    return { claim, rowClaim, ...(acceptUnverified && { acceptUnverified }) }
  })
