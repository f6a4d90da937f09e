import { type ListPath, parseClaimPath, parseListPath, readPath, writePath } from '../../formats/claim-path.ts'
import type { Claims } from './claims/claim-values.ts'

/** A column of a file and the path of its claim. */
export interface ClaimColumn {
  column: string
  path: string[]
}

/** The text of a column name as the reader of tables returns it. */
export function columnName(name: string): string {
  return name.trim().normalize('NFC')
}

/**
 * Returns the columns that become claims. Without `given`, each column has the path of its name, as in `address.locality` or
 * `claims.address.locality`, except those that have another use. With `given`, only the named columns. A column that the file does not
 * have is left out.
 */
export function claimColumnsOf(
  columns: readonly string[],
  mapping: Record<string, string> | null,
  others: readonly string[],
): ClaimColumn[] {
  if (!mapping) {
    return columns
      .filter((column) => !others.includes(column))
      .map((column) => ({ column, path: pathOf(column) }))
      .filter(({ path }) => isSafe(path))
  }
  return Object.entries(mapping).flatMap(([name, claimPath]) => {
    const column = columnName(name)
    const path = parseClaimPath(claimPath)?.path ?? []
    return columns.includes(column) && isSafe(path) ? [{ column, path }] : []
  })
}

function pathOf(column: string): string[] {
  const text = /^claims[.[]/.test(column) ? column : `claims.${column}`
  return parseClaimPath(text)?.path ?? [column]
}

/** An object with this member would get another prototype. */
function isSafe(path: string[]): boolean {
  return path.length > 0 && !path.includes('__proto__')
}

/** Returns two columns whose values cannot be in one object: the same claim, or one that is inside of the other. */
export function findConflict(columns: readonly ClaimColumn[]): [ClaimColumn, ClaimColumn] | undefined {
  const sorted = columns
    .map((each) => ({ ...each, key: each.path.map((name) => JSON.stringify(name)).join(',') }))
    .sort((left, right) => (left.key < right.key ? -1 : 1))
  const byKey = new Map<string, ClaimColumn>()
  for (const each of sorted) {
    const parents = each.path.map((_, depth) => each.path.slice(0, depth + 1))
    for (const parent of parents) {
      const earlier = byKey.get(JSON.stringify(parent))
      if (earlier) return [earlier, each]
    }
    byKey.set(JSON.stringify(each.path), each)
  }
  return undefined
}

/** Returns the column of the value at a path such as `claims.address.locality`, of an object around it, or of a value in it. */
export function findColumn(columns: readonly ClaimColumn[], mapFrom: string | undefined): ClaimColumn | undefined {
  const parsed = mapFrom === undefined ? undefined : parseListPath(mapFrom)
  if (parsed?.source !== 'claims') return undefined
  return columns.find((column) => isColumnOf(column, parsed.path))
}

/** Whether a column has the value at a path, an object or a list around it, or a value in it. */
export function isColumnOf(column: ClaimColumn, path: ListPath['path']): boolean {
  const list = path.indexOf(null)
  const length = Math.min(column.path.length, list < 0 ? path.length : list)
  for (let at = 0; at < length; at++) if (column.path[at] !== path[at]) return false
  return true
}

/** Returns the claims in the values of a row. An empty cell and null are no value. */
export function claimsOfRow(columns: readonly ClaimColumn[], values: Record<string, unknown>): Claims {
  const claims: Claims = {}
  for (const { column, path } of columns) {
    const value = readPath(values, [column])
    if (value !== undefined && value !== null && value !== '') writePath(claims, path, value)
  }
  return claims
}
