import { z } from 'zod'
import { PemCertificate } from '../../http/fields.ts'

export const NewWalletProvider = z.object({
  certificatePem: PemCertificate.describe('The certificate under which the provider attests its wallets, in PEM'),
})
