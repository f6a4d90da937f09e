import { z } from 'zod'
import { PemCertificate, Timestamp } from '../../http/fields.ts'

export const NewTrustedIssuer = z.object({
  certificatePem: PemCertificate.describe('The certificate of an authority, in PEM'),
})

export const TrustedIssuerView = z.object({
  id: z.string(),
  certificatePem: z.string(),
  certificateData: z.object({
    notAfter: Timestamp,
    notBefore: Timestamp,
    country: z.string().optional(),
    commonName: z.string().optional(),
  }),
})
