import { z } from 'zod'
import { Timestamp } from '../../http/fields.ts'

/** An authority that a tenant trusts for something. */
export const TrustAnchorView = z.object({
  id: z.string(),
  certificatePem: z.string(),
  certificateData: z.object({
    notAfter: Timestamp,
    notBefore: Timestamp,
    country: z.string().optional(),
    commonName: z.string().optional(),
  }),
})
