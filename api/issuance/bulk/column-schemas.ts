import { z } from 'zod'
import { described, named } from '../../http/fields.ts'

export const ColumnUseView = z.object({
  used: described(z.array(z.string()), 'The columns with an id, or with a claim that a configuration reads', [
    'number',
  ]),
  unused: described(z.array(z.string()), 'The columns that no configuration reads', ['email']),
  missing: described(
    z.array(z.string()),
    'The paths of claims that a configuration reads and that no column has. A user or a claim source can have them',
    ['claims.birthdate'],
  ),
})

export const BulkWarningView = named(
  'BulkWarning',
  'Values of valid rows that are probably wrong',
  z.object({
    column: described(z.string(), 'The column of the values', 'nationality').optional(),
    message: z.string().describe('What is wrong, without a value'),
    rows: described(z.number().int(), 'The number of rows with such a value', 3),
    firstRow: described(z.number().int(), 'The first of these rows, from 1, without the header', 7),
  }),
)
