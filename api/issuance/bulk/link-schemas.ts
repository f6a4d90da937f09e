import { z } from 'zod'
import { described, exampleBaseUrl, named, Timestamp, withoutExample } from '../../http/fields.ts'
import { exampleReference } from '../offers/reference.ts'
import { LinkLifetime } from './link-fields.ts'

/** A number of rows, or of a row. */
export const rowCount = (about: string, example: number) => described(z.number().int(), about, example)

export const RowNumber = described(
  z.string().regex(/^[1-9]\d{0,8}$/, 'Must be the number of a row'),
  'The number of the row, from 1, without the header',
  '1',
)

export const LinkRenewal = z.object({
  expiresIn: described(
    LinkLifetime.optional(),
    'How long a renewed link is valid, from 1 hour to 365 days. Default: as the other links of the bulk issuance',
    { days: 14 },
  ),
})

export const RenewedLinkView = named(
  'RenewedClaimLink',
  'A claim link with a new address',
  z.object({
    row: rowCount('The number of the row, from 1, without the header', 1),
    link: described(
      z.string(),
      'The address of the link. Anyone who has it can collect the credential',
      `${exampleBaseUrl}/l/${exampleReference('claim link')}`,
    ),
    transactionCode: z.string().optional().describe('The code to send to the holder through another channel'),
    expiresAt: Timestamp.describe('The end of the link'),
  }),
)

export const LinkRenewalView = named(
  'LinkRenewal',
  'The renewal of all expired claim links of a bulk issuance',
  z.object({
    state: described(
      z.enum(['running', 'done', 'failed']),
      '`failed`: a credential configuration or the view of the links was deleted. The links that were renewed before stay',
      'done',
    ),
    renewed: rowCount('The links that were renewed', 5),
    checkedRows: rowCount('The number of the last row that was checked', 20),
    requestedAt: Timestamp.describe('The time of the request. The links that had ended until then are renewed'),
    expiresAt: Timestamp.describe('The end of the renewed links'),
    endedAt: withoutExample(Timestamp).optional().describe('When the last row was checked'),
  }),
)
