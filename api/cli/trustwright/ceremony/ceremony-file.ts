import { z } from 'zod'
import { maxCommonNameLength } from '../../../../shared/domain/certificates/root-name.ts'
import { readMinisignKey } from '../../../../shared/formats/minisign.ts'

/** The content of a ceremony file. It has no facts of a machine, so that what was reviewed is what runs. */

const text = (most: number) =>
  z
    .string('Must be a text')
    .min(1, 'Must not be empty')
    .max(most, `Must have at most ${most} characters`)
    // The text is shown to people, and must be the same in each encoding of a name.
    .regex(/^\S(?:[^\p{C}]*\S)?$/u, 'Must not begin or end with a space, and must not contain control characters')

const Id = z
  .string('Must be a text')
  .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'Must have 1 to 40 lower-case letters, digits and hyphens')

const integer = (least: number, most: number) => {
  const message = `Must be a whole number from ${least} to ${most}`
  return z.int(message).min(least, message).max(most, message)
}

const Time = z
  .string('Must be a text')
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, 'Must be a time in UTC with whole seconds, such as 2027-01-31T00:00:00Z')
  .refine(
    (value) => !Number.isNaN(Date.parse(value)) && new Date(value).toISOString().startsWith(value.slice(0, -1)),
    'There is no such time',
  )

const Url = z
  .string('Must be a text')
  .max(500)
  .refine((value) => /^https?:\/\/[^\s]+$/.test(value) && URL.canParse(value), 'Must be an address with http or https')

/** A file beside the ceremony file. Its digest makes it a part of what is approved. */
const FileReference = z.strictObject({
  file: z
    .string('Must be a text')
    .regex(/^[A-Za-z0-9][\w.-]{0,99}$/, 'Must be the name of a file beside the ceremony file, without folders'),
  sha256: z.string('Must be a text').regex(/^[0-9a-f]{64}$/, 'Must be the SHA-256 of the file in lower-case hex'),
})
export type FileReference = z.output<typeof FileReference>

const Subject = z.strictObject({
  country: z.string('Must be a text').regex(/^[A-Z]{2}$/, 'Must be two upper-case letters (ISO 3166-1)'),
  stateOrProvinceName: text(128).exactOptional(),
  organisationName: text(64).exactOptional(),
  commonName: text(maxCommonNameLength),
})

const ValidityPeriod = z
  .strictObject({
    years: integer(1, 20).optional(),
    days: integer(1, 7_305).optional(),
    notBefore: Time.optional(),
    notAfter: Time.optional(),
  })
  .refine(
    ({ years, days, notBefore, notAfter }) =>
      [years, days, notAfter].filter((value) => value !== undefined).length === 1 &&
      (notBefore === undefined) === (notAfter === undefined),
    'Must have years alone, days alone, or notBefore and notAfter',
  )
export type ValidityPeriod = z.output<typeof ValidityPeriod>

/** Two of the bits are fixed, so that the number is positive. The profiles require 63 random bits. */
const SerialNumber = z.strictObject({ randomOctets: integer(9, 20) }).default({ randomOctets: 16 })

const IssuerReference = z.union([Id, FileReference], {
  error: 'Must be the id of an item above, or file and sha256 of a certificate beside the ceremony file',
})
export type IssuerReference = z.output<typeof IssuerReference>

const root = { id: Id, subject: Subject, validity: ValidityPeriod, serialNumber: SerialNumber, crlUrl: Url }
const Iaca = z.strictObject({ kind: z.literal('iaca'), ...root, contactUrl: Url })
const EcosystemCa = z.strictObject({ kind: z.literal('ecosystem-ca'), ...root })
const Link = z.strictObject({
  kind: z.literal('iaca-link'),
  id: Id,
  /** The previous IACA, whose key signs. */
  issuer: IssuerReference,
  /** The next IACA, whose name and key are certified. */
  next: IssuerReference,
  serialNumber: SerialNumber,
})
const SignerItem = z.strictObject({
  kind: z.enum(['document-signer', 'status-list-signer', 'sd-jwt-signer', 'vical-signer', 'rical-signer']),
  id: Id,
  issuer: IssuerReference,
  request: FileReference,
  validity: ValidityPeriod,
  serialNumber: SerialNumber,
})
const Crl = z.strictObject({
  kind: z.literal('crl'),
  id: Id,
  issuer: IssuerReference,
  number: integer(1, 2_147_483_647),
  /** ISO/IEC 18013-5, annex B: an authority publishes a list at least every 90 days. */
  nextUpdateDays: integer(1, 90),
  revoked: z
    .array(
      z.strictObject({
        serialNumber: z
          .string('Must be a text')
          .regex(/^(?:[0-9a-f]{2}){8,20}$/, 'Must be a serial number of 8 to 20 octets in lower-case hex'),
        revokedAt: Time,
      }),
    )
    .max(1_000),
})

const Item = z.discriminatedUnion('kind', [Iaca, EcosystemCa, Link, SignerItem, Crl], {
  error: `Must be iaca, ecosystem-ca, iaca-link, crl, or a signer: ${SignerItem.shape.kind.options.join(', ')}`,
})

const Approver = z.strictObject({
  name: Id,
  publicKey: z
    .string('Must be a text')
    .refine((line) => readMinisignKey(line) !== undefined, 'Must be the second line of the public key of minisign'),
})

export const Ceremony = z.strictObject({
  version: z.literal(1, 'Must be 1'),
  name: text(100),
  approvals: z.strictObject({ required: integer(1, 20), keys: z.array(Approver).min(1).max(20) }),
  make: z.array(Item).min(1, 'Must have an item').max(20),
})
export type Ceremony = z.output<typeof Ceremony>
export type Item = z.output<typeof Item>
export type RootItem = z.output<typeof Iaca> | z.output<typeof EcosystemCa>
export type LinkItem = z.output<typeof Link>
export type SignerItem = z.output<typeof SignerItem>
export type CrlItem = z.output<typeof Crl>
