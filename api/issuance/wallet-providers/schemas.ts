import { z } from 'zod'
import { PemCertificate, Timestamp } from '../../http/fields.ts'

export const NewWalletProvider = z.object({
  certificatePem: PemCertificate.describe('The certificate under which the provider attests its wallets, in PEM'),
})

export const WalletProviderView = z.object({
  id: z.string(),
  certificatePem: z.string(),
  certificateData: z.object({
    notAfter: Timestamp,
    notBefore: Timestamp,
    country: z.string().optional(),
    commonName: z.string().optional(),
  }),
})
