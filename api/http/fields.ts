import { X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { faultOfWebUrl } from '../../shared/outbound/check-outbound-url.ts'

/** Field schemas that several resources share. */
export const Uuid = z.uuid()

/**
 * A field whose value is for its receiver alone: refusals do not repeat it (`secrets.ts`), and the reference shows it as a
 * password. The last thing that is said of the field, but for `optional` and the like.
 */
export function secret<Field extends z.ZodType>(field: Field): Field {
  return field.meta({ format: 'password' })
}

/** Free-form claims: any JSON object. What JSON could hide in it was refused when the body was parsed. */
export const ClaimsObject = z.record(z.string(), z.unknown())

export const Name = z.string().trim().min(1).max(200)

export const Locale = z
  .string()
  .max(35)
  .regex(/^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/, 'Must be a language tag such as en-NZ')

/** OpenID4VCI 1.0, section 12.2.4: one object for each language. */
export function displays<Display extends z.ZodType<{ locale?: string }>>(display: Display) {
  return z
    .array(display)
    .min(1)
    .max(50)
    .refine((all) => new Set(all.map(({ locale }) => locale)).size === all.length, 'Must not have a locale twice')
}

export const Color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Must be a colour such as #a1b2c3')
/** Of what others load: nothing here calls it. It is refused in the words that are used of addresses that are called. */
export const WebUrl = z
  .url({ protocol: /^https$/, error: ({ input }) => (typeof input === 'string' ? faultOfWebUrl(input) : undefined) })
  .max(2000)

/** A word that JSON-LD takes as a type: no keyword, no blank node, no white space. */
export const TypeName = z
  .string()
  .max(200)
  .regex(/^(?!@|_:)\S+$/, 'Must be a name without spaces')

/** ISO 8601 in UTC, with milliseconds. */
export const Timestamp = z.iso.datetime()

const Moment = z.iso.datetime({ offset: true, error: 'Must be an ISO 8601 date, or date and time with its offset' })

/** A day stands for its first moment, or, as an end, its last; days are UTC's. */
export function momentOf(partOfDay: 'T00:00:00.000Z' | 'T23:59:59.999Z') {
  return z.union([z.iso.date().transform((day) => day + partOfDay), Moment]).transform((text) => new Date(text))
}

export const PemCertificate = z
  .string()
  .max(20_000)
  .refine(isCertificate, 'Must be one certificate in PEM')
  .describe('PEM')

/** One certificate, or one and that of who has issued it. */
export const PemChain = z
  .string()
  .max(40_000)
  .refine(isChain, 'Must be one certificate in PEM, which that of its issuer may follow')
  .describe('PEM')

function isChain(pem: string): boolean {
  const certificates = pem.split(/(?=-----BEGIN)/).filter((each) => each.trim() !== '')
  return certificates.length <= 2 && certificates.every(isCertificate)
}

function isCertificate(pem: string): boolean {
  if (pem.split('-----BEGIN').length !== 2) return false
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}
