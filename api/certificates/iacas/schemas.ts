import { z } from 'zod'
import { longestCommonName } from '../../../shared/certificates.ts'
import { momentOf, PemCertificate, Uuid } from '../../http/fields.ts'
import { certificateFields } from '../present.ts'

/** RFC 5280, appendix A.1: what may stand in names. */
const nameText = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .regex(/^\P{Cc}*$/u, 'Must have no control characters')

const NewManagedIaca = z.object({
  commonName: nameText(longestCommonName),
  country: z.string().regex(/^[A-Z]{2}$/, 'Must be two upper-case letters (ISO 3166-1)'),
  stateOrProvinceName: nameText(128).optional(),
  notBefore: momentOf('T00:00:00.000Z').optional(),
  notAfter: momentOf('T23:59:59.999Z').optional().describe('At most 20 years after `notBefore`; 10 years by itself'),
})

/** With `certificatePem` alone, or without it: then the key is made here. */
export const NewIaca = NewManagedIaca.partial({ commonName: true, country: true })
  .extend({
    certificatePem: PemCertificate.optional().describe(
      'Of an IACA whose key is kept elsewhere; nothing else is needed',
    ),
  })
  .superRefine(({ certificatePem, commonName, country }, ctx) => {
    if (certificatePem !== undefined) return
    for (const [name, value] of Object.entries({ commonName, country })) {
      if (value === undefined) ctx.addIssue({ code: 'custom', message: 'Required', path: [name] })
    }
  })

export const IacaChanges = z.object({
  active: z.boolean().describe('Whether credentials are signed under it'),
})

export const IacaView = z.object({
  id: Uuid,
  active: z.boolean(),
  isManaged: z.boolean().describe('Whether its key is here'),
  ...certificateFields,
})

export const PublishedIacas = z.object({
  iacas: z.array(z.object({ certificate: z.string().describe('The DER in base64') })),
})
