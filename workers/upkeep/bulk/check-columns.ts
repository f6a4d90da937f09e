import {
  type ClaimColumn,
  claimColumnsOf,
  columnName,
  findColumn,
  findConflict,
} from '../../../shared/domain/issuance/bulk-columns.ts'
import { type MappedPath, mappedPathsOf } from '../../../shared/domain/issuance/claims/mapped-paths.ts'
import { type ColumnUse, columnUseOf } from '../../../shared/domain/issuance/column-use.ts'
import { requiredPaths } from '../../../shared/domain/issuance/required-paths.ts'
import { parseClaimPath } from '../../../shared/formats/claim-path.ts'
import type { TableFormat, TablePortion } from '../../../shared/formats/table-file/table.ts'
import { isPartial, type RowRules } from './check-rows.ts'
import { BulkFileError } from './store-portion.ts'

const maxNamed = 50

export interface CheckedColumns {
  claimColumns: ClaimColumn[]
  columnUse: ColumnUse
}

/**
 * Returns the columns that become claims, and the use of all columns up to this portion. Refuses a file without a column that the request names
 * or that a configuration requires, and columns whose claims conflict. The first portion has all columns of a CSV file. In JSON Lines, a later
 * row can have others.
 */
export function checkColumns(
  { columns }: TablePortion,
  rules: ColumnRules,
  { isFirst, format }: { isFirst: boolean; format: TableFormat },
): CheckedColumns {
  const { claims, externalId, userId, kept = [], use } = rules.columns
  const ids = userId === null ? [externalId] : [externalId, userId]
  const named = [...ids, ...Object.keys(claims ?? {}).map(columnName), ...kept]
  const missing = isFirst ? named.filter((name) => !columns.includes(name)) : []
  if (missing.length > 0) throw missingColumn(`The file has no column ${listed(missing)}.`, columns)
  const claimColumns = claimColumnsOf(columns, claims, ids)
  const conflict = findConflict(claimColumns)
  if (conflict) throw conflicting(conflict)
  // The user of a row can have the claims that its file does not have.
  const uncovered = isFirst && format === 'csv' && userId === null ? findUncovered(rules, claimColumns) : []
  if (uncovered.length > 0) {
    throw missingColumn(`The file has no column for ${listed(uncovered)}, required by the configuration.`, columns)
  }
  return {
    claimColumns,
    columnUse: columnUseOf({ columns, ids: [...ids, ...kept], claimColumns, paths: readPaths(rules) }, use),
  }
}

type ColumnRules = Pick<RowRules, 'mode' | 'signIn' | 'configurations' | 'columns'>

/** Returns the paths of the claims that the configurations and the sign-in read. */
function readPaths({ configurations, signIn }: ColumnRules): MappedPath[] {
  const rowClaim = signIn?.rowClaim === undefined ? undefined : parseClaimPath(signIn.rowClaim)
  const ofSignIn = rowClaim && signIn?.rowClaim ? [{ mapFrom: signIn.rowClaim, path: rowClaim.path }] : []
  const paths = [...configurations.flatMap(mappedPathsOf), ...ofSignIn]
  return [...new Map(paths.map((path) => [path.mapFrom, path])).values()]
}

/** Returns the paths of required claims that no column gives a value. */
function findUncovered({ mode, configurations }: ColumnRules, claimColumns: ClaimColumn[]): string[] {
  const required = configurations.filter((each) => !isPartial(each, mode)).flatMap(requiredPaths)
  return [...new Set(required)].filter((mapFrom) => !findColumn(claimColumns, mapFrom))
}

function missingColumn(reason: string, columns: readonly string[]): BulkFileError {
  return new BulkFileError('missing_column', `${reason} Its columns are ${listed(columns)}.`)
}

function listed(names: readonly string[]): string {
  return `${names.slice(0, maxNamed).join(', ')}${names.length > maxNamed ? ' and others' : ''}`
}

function conflicting([left, right]: [ClaimColumn, ClaimColumn]): BulkFileError {
  const message = `The columns ${left.column} and ${right.column} cannot both be claims: one is the same as the other, or inside of it.`
  return new BulkFileError('conflicting_columns', message)
}
