import { z } from 'zod'
import type { authorityFields } from '../../../shared/domain/certificates/certificates.ts'
import { described, idOf, named, PemCertificate, PemChain, Timestamp, withoutExample } from '../../http/fields.ts'
import { certificateFields, keyField } from '../present.ts'

type AuthorityField = (typeof authorityFields)[keyof typeof authorityFields]

/** `field` is the name of the field that holds the authority's id: `iacaId` or `caId`. */
export const newSigner = (field: AuthorityField) => z.object({ [field]: authorityId(field) })

const authorityId = (field: AuthorityField) =>
  idOf(field === 'iacaId' ? 'IACA' : 'ecosystem CA').describe('The authority that issues its certificate')

const Active = described(z.boolean(), 'Whether it is used for signing', true)
const forRequest =
  'The certificate that an external authority issued for the key of `csrPem`. Leave it out to keep the stored one.'

export const SignerChanges = z.object({
  active: Active,
  certificatePem: withoutExample(PemCertificate).optional().describe(forRequest),
})

/** The changes of a signer whose chain can have an intermediate authority. */
export const ChainedSignerChanges = z.object({
  active: Active,
  certificatePem: PemChain.optional().describe(
    `${forRequest} The certificate of an intermediate authority follows, if there is one.`,
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
      ...keyField,
      csrPem: z
        .string()
        .optional()
        .describe('The certificate request (CSR). Have it signed by the external authority.'),
      renewsAt: withoutExample(Timestamp)
        .optional()
        .describe(
          'When the service replaces it, if its authority is active and ends later. Absent if the service does not replace it.',
        ),
      ...(isRevocable && {
        revocationDate: withoutExample(Timestamp)
          .optional()
          .describe('When it was revoked. Absent if it was not revoked.'),
      }),
    })

export const Revoke = z.object({})

export const Revoked = named(
  'RevokedSigner',
  'The result of a revocation',
  z.object({
    revoked: z.literal(true).describe('It signs nothing more and is on the CRL of its authority'),
    revocationDate: Timestamp.describe('When it was revoked'),
  }),
)
