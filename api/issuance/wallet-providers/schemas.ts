import { z } from 'zod'
import { PemCertificate } from '../../http/fields.ts'

export const NewWalletProvider = z.object({
  certificatePem: PemCertificate.describe("The root certificate of the provider's wallet attestations, in PEM"),
})
