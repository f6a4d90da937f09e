import { createHash, X509Certificate } from 'node:crypto'
import { z } from 'zod'
import { isStorableTime } from '../../shared/clock.ts'
import { faultOfWebUrl } from '../../shared/outbound/check-outbound-url.ts'

export const Uuid = z.uuid()

/** Two upper-case letters. */
export const CountryCode = z.string().regex(/^[A-Z]{2}$/, 'Must be two upper-case letters (ISO 3166-1)')

/**
 * Adds a description and an example for the reference. The examples of bodies are composed of the examples of fields, so these must
 * fit together. An optional field is in them if it has an example. Call it after the other methods of the field. It does not set
 * `examples`, which zod omits from the input of a transformed field.
 */
export function described<Field extends z.ZodType>(field: Field, description: string, example?: z.input<Field>): Field {
  return field.meta({ description, ...(example !== undefined && { 'x-examples': [example] }) })
}

/** Leaves a field out of the examples of bodies. */
export function withoutExample<Field extends z.ZodType>(field: Field): Field {
  return field.meta({ 'x-examples': [] })
}

/** The tenant of all examples. */
export const exampleBaseUrl = 'https://university.trustwright.example'
export const exampleDid = 'did:web:university.trustwright.example'
/** The id of one of its keys. */
export const exampleKid = 'dws2GkJOWstfxJ-4'

/** Gives a schema a name. The reference then shows it once, as a component. */
export function named<Part extends z.ZodType>(title: string, about: string, part: Part): Part {
  return part.meta({ title, description: about, 'x-about': about })
}

/** A value whose schema in the reference is another one, because a refinement of the body checks it. */
export function shownAs(schema: () => z.ZodType) {
  return z.unknown().meta({ 'x-shown-as': schema })
}

/** A value that the reference shows as a component. A schema that contains itself ends with it. */
export function shownAsComponent(title: string) {
  return z.unknown().meta({ $ref: `#/components/schemas/${title}` })
}

/** The id of a resource in a request. All examples of the reference use the same id for the same kind. */
export function idOf(thing: string) {
  return described(z.uuid(), `The id of the ${thing}`, exampleId(thing))
}

/** The id of a resource in an answer, which is not validated again. */
export function shownIdOf(thing: string) {
  return described(z.string(), `The id of the ${thing}`, exampleId(thing)).meta({ format: 'uuid' })
}

export function exampleId(thing: string): string {
  const hex = createHash('sha256').update(thing).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/**
 * Marks a field as a secret. Errors do not repeat its value (`secrets.ts`), and the reference shows it as a password. Call it after
 * the other methods of the field, except `optional` and the like.
 */
export function secret<Field extends z.ZodType>(field: Field): Field {
  return field.meta({ format: 'password' })
}

/** Claims of any names: a JSON object. `parseJson` refuses ambiguous JSON before. */
export const ClaimsObject = z
  .record(z.string(), z.unknown())
  .meta({ examples: [{ given_name: 'Ada', family_name: 'Lovelace' }] })

/**
 * Matches text without control characters, of any length or of `count` characters. It uses ranges, because client generators read
 * the `pattern` of the reference without the `u` flag, where `\\P{Cc}` has another meaning.
 */
export function withoutControls(count = '*'): RegExp {
  return new RegExp(`^[^\\x00-\\x1f\\x7f-\\x9f]${count}$`, 'u')
}

export const Name = z.string().trim().min(1).max(200)

/** The reference that operators give an object. It is personal data if it identifies a person. */
export const Label = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .regex(withoutControls(), 'Must not contain control characters')
  .meta({ description: 'Your own reference, such as a customer number. It is never issued', examples: ['KD-20417'] })

/** A boolean in a query or a form. */
export const YesOrNo = named('YesOrNo', '`true` or `false` as text', z.enum(['true', 'false']))

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
    .refine((all) => new Set(all.map(({ locale }) => locale)).size === all.length, 'Must not repeat a locale')
}

export const Color = z.string().regex(/^#[0-9a-fA-F]{6}$/, 'Must be a colour such as #a1b2c3')
/** A URL that clients load and the service does not call. The errors are those of URLs that the service calls. */
export const WebUrl = z.url({ protocol: /^https$/, error: webUrlFault }).max(2000)

/** A web URL, or an uploaded logo of a service on the developer's machine, which has no certificate. */
export const LogoUrl = z
  .url({ protocol: /^https?$/, error: webUrlFault, abort: true })
  .max(2000)
  .refine((url) => url.startsWith('https:') || localLogo.test(url), { error: webUrlFault })
const localLogo = /^http:\/\/(([\w-]+\.)*localhost|127\.0\.0\.1)(:\d+)?\/o\/logos\/[\w-]{43}$/

function webUrlFault({ input }: { input?: unknown }): string | undefined {
  return typeof input === 'string' ? faultOfWebUrl(input) : undefined
}

/** Schemes that browsers open themselves, so that they cannot be those of an app. */
const browserSchemes = /^(http|javascript|vbscript|data|file|blob|about|ftp|ws|wss|view-source):/i

/** The address at which an app receives something in the query: an `https:` address that the app has claimed, or a scheme of the app. */
export const AppUrl = z
  .url({ protocol: /^[a-z][a-z0-9+.-]*$/i, error: appUrlFault })
  .max(2000)
  .refine((url) => !url.includes('#'), 'Must have no fragment')
  .refine((url) => (/^https:/i.test(url) ? WebUrl.safeParse(url).success : isAppAddress(url)), { error: appUrlFault })

function isAppAddress(url: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(url) && !browserSchemes.test(url)
}

function appUrlFault({ input }: { input?: unknown }): string | undefined {
  if (typeof input === 'string' && /^https:/i.test(input)) return faultOfWebUrl(input)
  return 'Must be an https: URL or the scheme of an app, such as haip-vci://'
}

/** How people reach someone: a page or an email address. */
export const ContactUrl = z.url({ protocol: /^(https|mailto)$/, error: 'Must be an https: or mailto: URL' }).max(300)

/** A name that is valid as a JSON-LD type: no keyword, no blank node, no white space. */
export const TypeName = z
  .string()
  .max(200)
  .regex(/^(?!@|_:)\S+$/, 'Must be a name without spaces')

const years = 'Must be in the years 1 to 9999'

/** ISO 8601 in UTC, with milliseconds. */
export const Timestamp = z.iso
  .datetime()
  .refine((text) => !text.startsWith('0000'), years)
  .meta({ examples: ['2026-11-22T09:30:00.000Z'] })

/** The type of `createdAt` and similar fields that are numbers. */
export const EpochMilliseconds = z.int().meta({ examples: [1_795_339_800_000] })

const Moment = z.iso.datetime({ offset: true, error: 'Must be an ISO 8601 date, or a date and time with an offset' })

/** Accepts a day or a time. A day means its first moment in UTC, or as the end of a range its last. */
export function dayOrTime(partOfDay: 'T00:00:00.000Z' | 'T23:59:59.999Z') {
  return z
    .union([z.iso.date().transform((day) => day + partOfDay), Moment])
    .transform((text) => new Date(text))
    .refine(isStorableTime, years)
}

/** The certificate of an authority. */
export const exampleCertificate = `
-----BEGIN CERTIFICATE-----
MIIBkjCCATmgAwIBAgIGChssPU5fMAoGCCqGSM49BAMCMC0xCzAJBgNVBAYTAk5a
MR4wHAYDVQQDExVUcmFuc3BvcnQgQWdlbmN5IElBQ0EwHhcNMjYwMTAxMDAwMDAw
WhcNNDUxMjMxMjM1OTU5WjAtMQswCQYDVQQGEwJOWjEeMBwGA1UEAxMVVHJhbnNw
b3J0IEFnZW5jeSBJQUNBMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEazlW7wZf
yiNAabLilicUvP57AqfNdL/ExZ/Vp2KL91sRs/1mz7FGTqVpjIskwJ7XSX7Ky0g/
sA4PIdJjLz3DvaNFMEMwEgYDVR0TAQH/BAgwBgEB/wIBADAOBgNVHQ8BAf8EBAMC
AQYwHQYDVR0OBBYEFG9Ir5gohL6sAfyhGS2ZRgVEyOs7MAoGCCqGSM49BAMCA0cA
MEQCICb2sshkbUs9mFK7JSBbhlARuKpQr9bxISf4ip27EoWJAiAeELS+qI9K9lpD
SSIGiqamrBunVdge+Eo+56l2EtFjuw==
-----END CERTIFICATE-----
`.trimStart()

/** The text that programs such as openssl write around a certificate is left out. */
export const PemCertificate = z
  .string()
  .max(20_000)
  .overwrite(withoutText)
  .refine(isCertificate, 'Must be one certificate in PEM')
  .meta({ description: 'A certificate in PEM', examples: [exampleCertificate] })

/** One certificate, optionally followed by those of the authorities above it. The text around them is left out. */
export function pemChain(maxCertificates: number, message: string) {
  return z
    .string()
    .max(20_000 * maxCertificates)
    .overwrite(withoutText)
    .refine((pem) => isChain(pem, maxCertificates), message)
}

export const PemChain = pemChain(
  2,
  'Must be one certificate in PEM, optionally followed by the certificate of its issuer',
)

/** RFC 7468, section 2: a reader ignores text before a block. It stays out of what is stored, because it can name people. */
function withoutText(pem: string): string {
  return pem
    .split(/(?=-----BEGIN )/)
    .filter((part) => part.startsWith('-----BEGIN '))
    .map((part) => part.replace(/(-----END [A-Z0-9 ]+-----)\s*\S.*$/s, '$1\n'))
    .join('')
}

function isChain(pem: string, maxCertificates: number): boolean {
  const certificates = pem.split(/(?=-----BEGIN)/).filter((each) => each.trim() !== '')
  const isShort = certificates.length >= 1 && certificates.length <= maxCertificates
  return isShort && certificates.every(isCertificate)
}

function isCertificate(pem: string): boolean {
  if (pem.split('-----BEGIN').length !== 2) return false
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}
