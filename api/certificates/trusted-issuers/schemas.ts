import { z } from 'zod'
import { PemCertificate } from '../../http/fields.ts'

export const NewTrustedIssuer = z.object({
  certificatePem: PemCertificate.describe('The certificate of an authority, in PEM'),
})
