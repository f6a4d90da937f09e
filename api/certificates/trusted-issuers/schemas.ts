import { z } from 'zod'
import { PemCertificate } from '../../http/fields.ts'

export const NewTrustedIssuer = z.object({
  certificatePem: PemCertificate.describe('The certificate of the authority, in PEM'),
})
