import {
  type ClaimColumn,
  claimColumnsOf,
  columnName,
  findColumn,
  findConflict,
} from '../../../shared/domain/issuance/bulk-columns.ts'
import { requiredPaths } from '../../../shared/domain/issuance/required-paths.ts'
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
  const missing = isFirst ? named.filter((name) => !columns.includes(name)) : []
  if (missing.length > 0) throw missingColumn(`The file has no column ${listed(missing)}.`, columns)
  const claimColumns = claimColumnsOf(columns, claims, others)
  const conflict = findConflict(claimColumns)
  if (conflict) throw conflicting(conflict)
  // The user of a row can have the claims that its file does not have.
  const uncovered = isFirst && format === 'csv' && userId === null ? findUncovered(rules, claimColumns) : []
  if (uncovered.length > 0) {
    throw missingColumn(`The file has no column for ${listed(uncovered)}, required by the configuration.`, columns)
  }
  return claimColumns
}

/** Returns the paths of required claims that no column gives a value. */
function findUncovered(
  { mode, configurations }: Pick<RowRules, 'mode' | 'configurations'>,
  claimColumns: ClaimColumn[],
): string[] {
  const required = configurations.filter((each) => !isPartial(each, mode)).flatMap(requiredPaths)
  return [...new Set(required)].filter((mapFrom) => !findColumn(claimColumns, mapFrom))
}

function missingColumn(reason: string, columns: readonly string[]): FileRefused {
  return new FileRefused('missing_column', `${reason} Its columns are ${listed(columns)}.`)
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, maxNamed).join(', ')}${names.length > maxNamed ? ' and others' : ''}`
}

function conflicting([left, right]: [ClaimColumn, ClaimColumn]): FileRefused {
  const message = `The columns ${left.column} and ${right.column} cannot both be claims: one is the same as the other, or inside of it.`
  return new FileRefused('conflicting_columns', message)
}
