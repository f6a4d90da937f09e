import { z } from 'zod'
import { maxCommonNameLength } from '../../../shared/domain/certificates/root-name.ts'
import {
  CountryCode,
  dayOrTime,
  described,
  exampleCertificate,
  idOf,
  PemCertificate,
  Timestamp,
  withoutControls,
  withoutExample,
} from '../../http/fields.ts'
import { certificateFields, exampleFingerprint, keyField } from '../present.ts'

/** Limits the text of a name (RFC 5280, appendix A.1). */
const nameText = (most: number) =>
  z.string().trim().min(1).max(most).regex(withoutControls(), 'Must not contain control characters')

const Iaca = z.object({
  commonName: described(
    nameText(maxCommonNameLength),
    'The common name of the subject. Required without `certificatePem`.',
    'Transport Agency IACA',
  ).optional(),
  country: CountryCode.meta({
    description: 'Two upper-case letters (ISO 3166-1). Required without `certificatePem`.',
    examples: ['NZ'],
  }).optional(),
  stateOrProvinceName: nameText(128).optional().describe('The state or province of the subject'),
  notBefore: dayOrTime('T00:00:00.000Z').optional().describe('A day in UTC, or a timestamp. Default: now.'),
  notAfter: dayOrTime('T23:59:59.999Z')
    .optional()
    .describe('At most 20 years after `notBefore`. Default: 10 years after.'),
  active: z.boolean().default(false).describe('Whether it signs from its creation'),
  certificatePem: withoutExample(PemCertificate)
    .optional()
    .describe(
      'The certificate of an external IACA, whose key this service does not store. The other fields are not needed then.',
    ),
})

const EcosystemCa = Iaca.omit({ stateOrProvinceName: true }).extend({
  organisationName: nameText(64).optional().describe('The organisation that operates the CA'),
  notAfter: dayOrTime('T23:59:59.999Z')
    .optional()
    .describe('At most 20 years after `notBefore`. Default: 20 years after.'),
  certificatePem: withoutExample(PemCertificate)
    .optional()
    .describe(
      'The certificate of an external CA, whose key this service does not store. The other fields are not needed then.',
    ),
})

/** The fields of both request bodies. */
export type NewAuthority = z.output<typeof Iaca> & Partial<Pick<z.output<typeof EcosystemCa>, 'organisationName'>>

/** With `certificatePem`, the authority is external. Without it, this service generates the key and the certificate. */
export const NewIaca = Iaca.superRefine(requireNames)
export const NewEcosystemCa = EcosystemCa.superRefine(requireNames)

function requireNames({ certificatePem, commonName, country }: NewAuthority, ctx: z.core.$RefinementCtx): void {
  if (certificatePem !== undefined) return
  for (const [name, value] of Object.entries({ commonName, country })) {
    if (value === undefined) ctx.addIssue({ code: 'custom', message: 'Required', path: [name] })
  }
}

export const AuthorityChanges = z.object({
  active: described(z.boolean(), 'Whether it is used for new signatures', true),
})

export const authorityView = (thing: string) =>
  z.object({
    id: idOf(thing),
    active: described(z.boolean(), 'Whether it is used for new signatures', true),
    isManaged: described(z.boolean(), 'Whether this service stores its key', true),
    ...keyField,
    ...certificateFields,
  })

export const PublishedIacas = z.object({
  iacas: z
    .array(
      z.object({
        certificate: described(z.string(), 'The DER in base64', exampleCertificate.split('\n').slice(1, -2).join('')),
      }),
    )
    .describe('The active IACAs of mobile credentials'),
})

export const PublishedEcosystemCas = z.object({
  rootCertificates: z
    .array(
      z.object({
        certificate: described(z.string(), 'The certificate in PEM', exampleCertificate),
        notBefore: Timestamp.describe('The start of its validity'),
        notAfter: Timestamp.describe('The end of its validity'),
        fingerprint: described(z.string(), 'SHA-256 of the certificate, in lower-case hex', exampleFingerprint),
        commonName: described(z.string(), 'The common name of its subject', 'Transport Agency IACA'),
      }),
    )
    .describe('The active root certificates under which trusted lists are signed'),
})
