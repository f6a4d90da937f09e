import { z } from 'zod'
import type { authorityFields } from '../../../shared/domain/certificates/certificates.ts'
import { described, idOf, named, PemCertificate, PemChain, Timestamp, unexampled } from '../../http/fields.ts'
import { certificateFields } from '../present.ts'

type AuthorityField = (typeof authorityFields)[keyof typeof authorityFields]

/** `field` names the authority: `iacaId` or `caId`. */
export const newSigner = (field: AuthorityField) => z.object({ [field]: authorityId(field) })

const authorityId = (field: AuthorityField) =>
  idOf(field === 'iacaId' ? 'IACA' : 'ecosystem CA').describe('The authority that certifies it')

const Active = described(z.boolean(), 'Whether it signs', true)
const forRequest =
  'For the key of `csrPem`, issued by the authority; for signers of authorities whose keys are not here. Left out: it stays'

export const SignerChanges = z.object({
  active: Active,
  certificatePem: unexampled(PemCertificate).optional().describe(forRequest),
})

/** Of those under whose authority there may be another one. */
export const ChainedSignerChanges = z.object({
  active: Active,
  certificatePem: PemChain.optional().describe(
    `${forRequest}. Where another authority stands between, which the first one has certified, its certificate follows`,
  ),
})

export const signerView = (thing: string, field: AuthorityField, isRevocable: boolean) =>
  z
    .object({ ...certificateFields })
    .partial()
    .extend({
      id: idOf(thing),
      [field]: authorityId(field),
      active: Active,
      csrPem: z.string().optional().describe('To be certified by an authority whose key is not here'),
      ...(isRevocable && {
        revocationDate: unexampled(Timestamp).optional().describe('When it was revoked, where it was'),
      }),
    })

export const Revoke = z.object({})

export const Revoked = named(
  'RevokedSigner',
  'That a signer was revoked',
  z.object({
    revoked: z.literal(true).describe('It signs nothing more, and stands on the revocation list of its authority'),
    revocationDate: Timestamp.describe('When it was revoked'),
  }),
)
