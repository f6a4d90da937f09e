import { z } from 'zod'
import { longestCommonName } from '../../../shared/certificates.ts'
import { momentOf, PemCertificate, Timestamp, Uuid } from '../../http/fields.ts'
import { certificateFields } from '../present.ts'

/** RFC 5280, appendix A.1: what may stand in names. */
const nameText = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^\P{Cc}*$/u, 'Must have no control characters')

const Iaca = z.object({
  commonName: nameText(longestCommonName).optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'Must be two upper-case letters (ISO 3166-1)')
    .optional(),
  stateOrProvinceName: nameText(128).optional(),
  notBefore: momentOf('T00:00:00.000Z').optional(),
  notAfter: momentOf('T23:59:59.999Z').optional().describe('At most 20 years after `notBefore`; 10 years by itself'),
  certificatePem: PemCertificate.optional().describe('Of an IACA whose key is kept elsewhere; nothing else is needed'),
})

const EcosystemCa = Iaca.omit({ stateOrProvinceName: true }).extend({
  organisationName: nameText(64).optional(),
  notAfter: momentOf('T23:59:59.999Z').optional().describe('20 years after `notBefore` by itself, and at most'),
  certificatePem: PemCertificate.optional().describe('Of a CA whose key is kept elsewhere; nothing else is needed'),
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
  active: z.boolean().describe('Whether anything new is signed under it'),
})

export const AuthorityView = z.object({
  id: Uuid,
  active: z.boolean(),
  isManaged: z.boolean().describe('Whether its key is here'),
  ...certificateFields,
})

export const PublishedIacas = z.object({
  iacas: z.array(z.object({ certificate: z.string().describe('The DER in base64') })),
})

export const PublishedEcosystemCas = z.object({
  rootCertificates: z.array(
    z.object({
      certificate: z.string().describe('PEM'),
      notBefore: Timestamp,
      notAfter: Timestamp,
      fingerprint: z.string().describe('SHA-256 of the certificate, hexadecimal'),
      commonName: z.string(),
    }),
  ),
})
