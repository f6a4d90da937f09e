import { type ClaimColumn, isColumnOf } from './bulk-columns.ts'
import type { MappedPath } from './claims/mapped-paths.ts'

/** The use of the columns of a file. Each list has at most 50 names. */
export interface ColumnUse {
  /** The columns with an id, or with a claim that is read, and those that are kept. */
  used: string[]
  /** The other columns. */
  unused: string[]
  /** The paths of claims that are read and that no column has, such as `claims.birthdate`. */
  missing: string[]
}

export interface ReadColumns {
  /** The names of all columns. */
  columns: readonly string[]
  /** The columns with an id, and those that are kept. */
  ids: readonly string[]
  claimColumns: readonly ClaimColumn[]
  /** The paths of the claims that are read. */
  paths: readonly MappedPath[]
}

const maxNames = 50

/** Returns the use of columns, together with those of earlier rows of the file. */
export function columnUseOf({ columns, ids, claimColumns, paths }: ReadColumns, earlier?: ColumnUse): ColumnUse {
  const read = claimColumns.filter((column) => paths.some(({ path }) => isColumnOf(column, path)))
  const used = new Set([...ids, ...read.map(({ column }) => column)])
  const missing = paths.filter(({ path }) => !read.some((column) => isColumnOf(column, path)))
  const isMissing = ({ mapFrom }: MappedPath) => !earlier || earlier.missing.includes(mapFrom)
  return {
    used: firstOf([...(earlier?.used ?? []), ...columns.filter((column) => used.has(column))]),
    unused: firstOf([...(earlier?.unused ?? []), ...columns.filter((column) => !used.has(column))]),
    missing: firstOf(missing.filter(isMissing).map(({ mapFrom }) => mapFrom)),
  }
}

function firstOf(names: readonly string[]): string[] {
  return [...new Set(names)].slice(0, maxNames)
}
