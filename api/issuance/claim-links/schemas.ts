import { z } from 'zod'
import {
  ClaimsObject,
  described,
  exampleBaseUrl,
  exampleId,
  idOf,
  Label,
  named,
  Timestamp,
  withoutExample,
} from '../../http/fields.ts'
import { KeptCells } from '../bulk/column-schemas.ts'
import { LinkLifetime, LinkSignInField, TransactionCode } from '../bulk/link-fields.ts'
import { exampleReference } from '../offers/reference.ts'
import { ViewId } from '../offers/schemas.ts'
import { OfferWarning } from '../offers/warning-schemas.ts'

const ExternalId = z.string().trim().min(1).max(200)

export const SingleClaimLink = z
  .object({
    configurationIds: described(
      z.array(z.uuid('Must be the id of a credential configuration')).min(1).max(100),
      'The ids of the credential configurations, of any profile. The person collects them with one wallet',
      [exampleId('compact configuration')],
    ),
    claims: described(ClaimsObject.default({}), 'The claims of the person', { given_name: 'Ada' }),
    userId: withoutExample(idOf('user'))
      .optional()
      .describe('The user of the link. Absent: the first opening creates a user'),
    view: ViewId.optional(),
    externalId: described(ExternalId.optional(), 'Your id of the person. The results have it', '2026-0007'),
    label: Label.optional(),
    keep: withoutExample(KeptCells.optional()).describe(
      'Texts that come back in the results, such as an email address. At most 20, with 4,000 bytes. They are sealed',
    ),
    expiresIn: described(
      LinkLifetime.optional(),
      'How long the link is valid, from 1 hour to 365 days. Default: 30 days',
      { days: 14 },
    ),
    transactionCode: withoutExample(TransactionCode.optional()).describe(
      'If set, the person must enter a six-digit code. `true`, or an object with a description for the person',
    ),
    signIn: withoutExample(LinkSignInField.optional()).describe(
      'If set, the person must sign in at the authentication provider of the tenant. `true`, or an object with a claim that must match',
    ),
  })
  .refine(({ signIn, transactionCode }) => !(signIn && transactionCode), {
    path: ['signIn'],
    message: 'Not possible together with transactionCode',
  })

export const SingleClaimLinkView = named(
  'SingleClaimLink',
  'A claim link for one person. It is the row of a bulk issuance without a file',
  z.object({
    bulkIssuanceId: idOf('bulk issuance').describe(
      'The id for its state, its renewal, its revocation and its deletion',
    ),
    row: described(z.number().int(), 'The number of the row, which is 1', 1),
    externalId: described(ExternalId, 'Your id of the person', '2026-0007').optional(),
    label: Label.optional(),
    link: described(
      z.string(),
      'The address of the link. Anyone who has it can collect the credential',
      `${exampleBaseUrl}/l/${exampleReference('claim link')}`,
    ),
    transactionCode: z
      .string()
      .optional()
      .describe('The code to send to the person through another channel. No other answer contains it'),
    expiresAt: Timestamp.describe('The end of the link'),
    warnings: withoutExample(z.array(OfferWarning))
      .optional()
      .describe('Missing signers, and values that are probably wrong. Absent if there are none'),
  }),
)
