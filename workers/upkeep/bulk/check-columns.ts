import {
  type ClaimColumn,
  claimColumnsOf,
  columnName,
  findConflict,
} from '../../../shared/domain/issuance/bulk-columns.ts'
import { type RequiredClaim, requiredClaims } from '../../../shared/domain/issuance/required-claims.ts'
import type { TableFormat, TablePortion } from '../../../shared/formats/table-file/table.ts'
import { isPartial, type RowRules } from './check-rows.ts'
import { FileRefused } from './store-portion.ts'

const maxNamed = 50

/**
 * Returns the columns that become claims. Refuses a file without a column that the request names or that a configuration requires, and columns
 * whose claims conflict. The first portion has all columns of a CSV file. In JSON Lines, a later row can have others.
 */
export function checkColumns(
  { columns }: TablePortion,
  rules: Pick<RowRules, 'mode' | 'configurations' | 'columns'>,
  { isFirst, format }: { isFirst: boolean; format: TableFormat },
): ClaimColumn[] {
  const { claims, externalId, userId } = rules.columns
  const others = userId === null ? [externalId] : [externalId, userId]
  const named = [...others, ...Object.keys(claims ?? {}).map(columnName)]
  const missing = isFirst ? named.find((name) => !columns.includes(name)) : undefined
  if (missing !== undefined) throw missingColumn(`The file has no column ${missing}.`, columns)
  const claimColumns = claimColumnsOf(columns, claims, others)
  const conflict = findConflict(claimColumns)
  if (conflict) throw conflicting(conflict)
  // The user of a row can have the claims that its file does not have.
  const required = isFirst && format === 'csv' && userId === null ? findUncovered(rules, claimColumns) : undefined
  if (required) {
    throw missingColumn(`The file has no column for ${required.mapFrom}, which the configuration requires.`, columns)
  }
  return claimColumns
}

/** Returns a required claim that no column gives a value. */
function findUncovered(
  { mode, configurations }: Pick<RowRules, 'mode' | 'configurations'>,
  claimColumns: ClaimColumn[],
): RequiredClaim | undefined {
  const required = configurations.filter((each) => !isPartial(each, mode)).flatMap(requiredClaims)
  return required.find(
    ({ path }) => !claimColumns.some((column) => isInside(column.path, path) || isInside(path, column.path)),
  )
}

function isInside(inner: readonly string[], outer: readonly string[]): boolean {
  return outer.every((name, at) => inner[at] === name)
}

function missingColumn(reason: string, columns: readonly string[]): FileRefused {
  const shown = columns.slice(0, maxNamed).join(', ')
  return new FileRefused(
    'missing_column',
    `${reason} Its columns are ${shown}${columns.length > maxNamed ? ' and others' : ''}.`,
  )
}

function conflicting([left, right]: [ClaimColumn, ClaimColumn]): FileRefused {
  const message = `The columns ${left.column} and ${right.column} cannot both be claims: one is the same as the other, or inside of it.`
  return new FileRefused('conflicting_columns', message)
}
