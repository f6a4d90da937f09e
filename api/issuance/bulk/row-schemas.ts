import { z } from 'zod'
import { claimLinkStates } from '../../../db/repos/issuance/claim-links/listed-claim-links.ts'
import { described, idOf, Label, named, Timestamp, withoutExample } from '../../http/fields.ts'
import { cursorText, PageQuery } from '../../http/page.ts'

const RowState = named(
  'BulkRowState',
  '`valid`: it waits. `invalid`: it has an error. `done`: it has a credential. `failed`: it could not be signed. A row with a claim link has the state of its link. `open`: it was not opened. `opened`: an offer was made with it. `collected`: a credential was issued. `expired`: it was not collected before its end. `revoked`: it was revoked',
  z.enum(['valid', 'invalid', 'done', 'failed', ...claimLinkStates]),
)

const RowCursor = cursorText(
  z
    .tuple([
      z
        .number()
        .int()
        .min(0)
        .max(2 ** 31 - 1),
    ])
    .transform(([row]) => row),
)

export const RowQuery = PageQuery.extend({
  cursor: RowCursor.optional().describe('The `nextCursor` of the previous page'),
  state: RowState.optional().describe('Returns only rows in this state. `done` includes all rows with a claim link'),
  externalId: withoutExample(z.string().min(1).max(1000))
    .optional()
    .describe('Returns only the row with this external id, in any state'),
})

export const BulkRowView = named(
  'BulkRow',
  'A row of the file',
  z.object({
    row: described(z.number().int(), 'The number of the row, from 1, without the header', 7),
    state: described(RowState, 'The current state', 'invalid'),
    externalId: described(z.string(), 'Your id of the row', '2026-0007').optional(),
    label: Label.optional(),
    column: described(z.string(), 'The column with the error', 'given_name').optional(),
    code: described(z.string(), 'The code of the error', 'missing_claim').optional(),
    message: described(
      z.string(),
      'The error. Absent if the roles of the caller do not show the content of files',
      'There is no value for the claim given_name.',
    ).optional(),
    credentialId: idOf('compact credential').optional().describe('The id of the credential of the row'),
    userId: idOf('user')
      .optional()
      .describe('The user of the claim link. Without a user in the file, the first opening creates one'),
    expiresAt: withoutExample(Timestamp).optional().describe('The end of the claim link'),
    openedAt: withoutExample(Timestamp).optional().describe('When an offer was last made with the claim link'),
    endedAt: withoutExample(Timestamp).optional().describe('When the claim link was collected or revoked'),
  }),
)
