import { z } from 'zod'
import type { authorityFields } from '../../../shared/certificates.ts'
import { PemCertificate, PemChain, Timestamp, Uuid } from '../../http/fields.ts'
import { certificateFields } from '../present.ts'

type AuthorityField = (typeof authorityFields)[keyof typeof authorityFields]

/** `field` names the authority: `iacaId` or `caId`. */
export const newSigner = (field: AuthorityField) =>
  z.object({ [field]: Uuid.describe('Of the authority that certifies it') })

const Active = z.boolean().describe('Whether it signs')
const forRequest =
  'For the key of `csrPem`, issued by the authority; for signers of authorities whose keys are not here'

export const SignerChanges = z.object({
  active: Active,
  certificatePem: PemCertificate.optional().describe(forRequest),
})

/** Of those under whose authority there may be another one. */
export const ChainedSignerChanges = z.object({
  active: Active,
  certificatePem: PemChain.optional().describe(
    `${forRequest}. Where another authority stands between, which the first one has certified, its certificate follows`,
  ),
})

export const signerView = (field: AuthorityField, isRevocable: boolean) =>
  z
    .object({ ...certificateFields })
    .partial()
    .extend({
      id: Uuid,
      [field]: Uuid,
      active: z.boolean(),
      csrPem: z.string().optional().describe('To be certified by an authority whose key is not here'),
      ...(isRevocable && { revocationDate: Timestamp.optional().describe('Where it was revoked') }),
    })

export const Revoke = z.object({})

export const Revoked = z.object({ revoked: z.literal(true), revocationDate: Timestamp })
