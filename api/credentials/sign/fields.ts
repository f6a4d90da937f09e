import { z } from 'zod'
import { described, withoutExample } from '../../http/fields.ts'
import { Did } from '../../identifiers/dids/schemas.ts'

/** A NumericDate (RFC 8392, section 2), up to the end of the year 9999. */
export const Seconds = z
  .int('Must be a whole number of seconds since 1970')
  .min(0, 'Must not be before 1970')
  .max(253_402_300_799, 'Must not be after the year 9999')

export const IssuerDid = withoutExample(Did).describe("The issuer: a DID of the tenant. Default: the tenant's own DID.")

/**
 * An object without unknown members. Unknown members are refused, not ignored, because the signed content would differ from
 * the request.
 */
export function knownMembersOnly<Shape extends z.ZodRawShape>(shape: Shape, msg: string) {
  return z.looseObject(shape).superRefine((members, ctx) => {
    for (const name of Object.keys(members).slice(0, 1_000)) {
      if (!Object.hasOwn(shape, name)) ctx.addIssue({ code: 'custom', path: [name], message: msg })
    }
  })
}

export const revocableCredential = described(
  z.boolean().default(false),
  'Whether the credential gets an index in a revocation list',
  true,
)
