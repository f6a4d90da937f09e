import { z } from 'zod'
import { longestCommonName } from '../../../shared/domain/certificates/certificates.ts'
import {
  dayOrTime,
  described,
  exampleCertificate,
  idOf,
  PemCertificate,
  Timestamp,
  unexampled,
  withoutControls,
} from '../../http/fields.ts'
import { certificateFields, exampleFingerprint } from '../present.ts'

/** RFC 5280, appendix A.1: what may stand in names. */
const nameText = (most: number) =>
  z.string().trim().min(1).max(most).regex(withoutControls(), 'Must have no control characters')

const Iaca = z.object({
  commonName: described(
    nameText(longestCommonName),
    'What it is called; needed where the key is made here',
    'Transport Agency IACA',
  ).optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'Must be two upper-case letters (ISO 3166-1)')
    .meta({ description: 'Two upper-case letters (ISO 3166-1); needed where the key is made here', examples: ['NZ'] })
    .optional(),
  stateOrProvinceName: nameText(128).optional().describe('A part of the country, as its certificates have it'),
  notBefore: dayOrTime('T00:00:00.000Z').optional().describe('A day in UTC, or a moment; now by itself'),
  notAfter: dayOrTime('T23:59:59.999Z').optional().describe('At most 20 years after `notBefore`; 10 years by itself'),
  certificatePem: unexampled(PemCertificate)
    .optional()
    .describe('Of an IACA whose key is kept elsewhere; nothing else is needed'),
})

const EcosystemCa = Iaca.omit({ stateOrProvinceName: true }).extend({
  organisationName: nameText(64).optional().describe('Who runs it'),
  notAfter: dayOrTime('T23:59:59.999Z').optional().describe('20 years after `notBefore` by itself, and at most'),
  certificatePem: unexampled(PemCertificate)
    .optional()
    .describe('Of a CA whose key is kept elsewhere; nothing else is needed'),
})

/** What the bodies of both kinds may have. */
export type NewAuthority = z.output<typeof Iaca> & Partial<Pick<z.output<typeof EcosystemCa>, 'organisationName'>>

/** With `certificatePem` alone, or without it: then the key is made here. */
export const NewIaca = Iaca.superRefine(requireNames)
export const NewEcosystemCa = EcosystemCa.superRefine(requireNames)

function requireNames({ certificatePem, commonName, country }: NewAuthority, ctx: z.core.$RefinementCtx): void {
  if (certificatePem !== undefined) return
  for (const [name, value] of Object.entries({ commonName, country })) {
    if (value === undefined) ctx.addIssue({ code: 'custom', message: 'Required', path: [name] })
  }
}

export const AuthorityChanges = z.object({
  active: described(z.boolean(), 'Whether anything new is signed under it', true),
})

export const authorityView = (thing: string) =>
  z.object({
    id: idOf(thing),
    active: described(z.boolean(), 'Whether anything new is signed under it', true),
    isManaged: described(z.boolean(), 'Whether its key is here', true),
    ...certificateFields,
  })

export const PublishedIacas = z.object({
  iacas: z
    .array(
      z.object({
        certificate: described(z.string(), 'The DER in base64', exampleCertificate.split('\n').slice(1, -2).join('')),
      }),
    )
    .describe('The roots of mobile credentials that are in use'),
})

export const PublishedEcosystemCas = z.object({
  rootCertificates: z
    .array(
      z.object({
        certificate: described(z.string(), 'In PEM', exampleCertificate),
        notBefore: Timestamp.describe('From when it is valid'),
        notAfter: Timestamp.describe('Until when it is valid'),
        fingerprint: described(z.string(), 'SHA-256 of the certificate, in lower-case hex', exampleFingerprint),
        commonName: described(z.string(), 'What it is called', 'Transport Agency IACA'),
      }),
    )
    .describe('The roots under which trusted lists are signed'),
})
