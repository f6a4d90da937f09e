import { z } from 'zod'
import { described, unexampled } from '../../http/fields.ts'
import { Did } from '../../identifiers/dids/schemas.ts'

/** NumericDate (RFC 8392, section 2), up to the end of the year 9999. */
export const Seconds = z
  .int('Must be a whole number of seconds since 1970')
  .min(0, 'Must not be before 1970')
  .max(253_402_300_799, 'Must not be after the year 9999')

export const IssuerDid = unexampled(Did).describe(
  "A DID that the tenant manages; the tenant's own where it is left out",
)

/** An object of these members alone: without the others something else would be signed than was asked for, so that none is ignored. */
export function membersAlone<Shape extends z.ZodRawShape>(shape: Shape, msg: string) {
  return z.looseObject(shape).superRefine((members, ctx) => {
    for (const name of Object.keys(members).slice(0, 1_000)) {
      if (!Object.hasOwn(shape, name)) ctx.addIssue({ code: 'custom', path: [name], message: msg })
    }
  })
}

export const revocable = described(z.boolean().default(false), 'Give it a place in a revocation list', true)
