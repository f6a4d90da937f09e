import { z } from 'zod'
import { columnName } from '../../../shared/domain/issuance/bulk-columns.ts'
import { keptCellsFault, maxKeptColumns, resultColumns } from '../../../shared/domain/issuance/kept-columns.ts'
import { described, named } from '../../http/fields.ts'

export const ColumnUseView = named(
  'ColumnUse',
  'The columns of a file by their use',
  z.object({
    used: described(z.array(z.string()), 'The columns with an id, or with a claim that a configuration reads', [
      'number',
    ]),
    unused: described(z.array(z.string()), 'The columns that no configuration reads', ['email']),
    missing: described(
      z.array(z.string()),
      'The paths of claims that a configuration reads and that no column has. A user or a claim source can have them',
      ['claims.birthdate'],
    ),
  }),
)

/** A form has one part for each name. The names are as the reader of tables returns them. */
export const KeepColumns = z.preprocess(
  (sent) => (typeof sent === 'string' ? [sent] : sent),
  z
    .array(z.string().max(200).transform(columnName).refine(Boolean, 'Must be the name of a column'))
    .max(maxKeptColumns, `Must have at most ${maxKeptColumns} columns`)
    .superRefine((columns, { addIssue }) => {
      const refuse = (message: string) => addIssue({ code: 'custom', message })
      for (const [at, column] of columns.entries()) {
        if (columns.indexOf(column) < at) refuse(`The column \`${column}\` is repeated`)
        if (isOfResults(column)) refuse(ofResults(column))
      }
    }),
)

/** The cells of one person that come back in the results, by column. */
export const KeptCells = z.record(z.string().trim().min(1).max(200), z.string()).superRefine((cells, { addIssue }) => {
  const refuse = (message: string) => addIssue({ code: 'custom', message })
  const columns = Object.keys(cells)
  if (columns.length > maxKeptColumns) refuse(`Must have at most ${maxKeptColumns} members`)
  for (const column of columns) if (isOfResults(column)) refuse(ofResults(column))
  const fault = keptCellsFault(JSON.stringify(cells))
  if (fault !== undefined) refuse(fault)
})

const isOfResults = (column: string) => resultColumns.some((own) => own === column)
const ofResults = (column: string) => `\`${column}\` is a column of the results. Use another name`

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
