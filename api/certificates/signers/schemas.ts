import { z } from 'zod'
import { PemCertificate, Timestamp, Uuid } from '../../http/fields.ts'
import { certificateFields } from '../present.ts'

export const NewSigner = z.object({ iacaId: Uuid.describe('Of the IACA that certifies it') })

export const SignerChanges = z.object({
  active: z.boolean().describe('Whether it signs'),
  certificatePem: PemCertificate.optional().describe(
    'For the key of `csrPem`, issued by the IACA; for signers of IACAs whose keys are not here',
  ),
})

export const SignerView = z
  .object({ ...certificateFields })
  .partial()
  .extend({
    id: Uuid,
    iacaId: Uuid,
    active: z.boolean(),
    csrPem: z.string().optional().describe('To be certified by an IACA whose key is not here'),
    revocationDate: Timestamp.optional().describe('Where it was revoked'),
  })

export const Revoke = z.object({})

export const Revoked = z.object({ revoked: z.literal(true), revocationDate: Timestamp })
