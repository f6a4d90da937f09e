import { isRecord } from '../../kit/form-values.ts'
import type { Body } from './body.ts'

/** A claim while it is edited. Two rows may temporarily have one name, which a body cannot express. */
export interface ClaimRow {
  key: number
  /** Only for mobile credentials. */
  namespace: string
  name: string
  mapping: Body
}

let keys = 0

export function rowsOf(mappings: unknown, isMobile: boolean): ClaimRow[] {
  if (!isRecord(mappings)) return []
  if (!isMobile) return rowsIn('', mappings)
  return Object.entries(mappings).flatMap(([namespace, inside]) => (isRecord(inside) ? rowsIn(namespace, inside) : []))
}

function rowsIn(namespace: string, mappings: Body): ClaimRow[] {
  return Object.entries(mappings).map(([name, mapping]) => {
    return { key: ++keys, namespace, name, mapping: isRecord(mapping) ? mapping : {} }
  })
}

/** Returns a new row for the end of the table, in the namespace of the last row. */
export function newRow(rows: readonly ClaimRow[], firstNamespace: string): ClaimRow {
  return { key: ++keys, namespace: rows.at(-1)?.namespace ?? firstNamespace, name: '', mapping: {} }
}

/** Returns the mappings of the rows. Of rows with the same name, the first counts. */
export function mappingsOf(rows: readonly ClaimRow[], isMobile: boolean): Body {
  const unique = rows.filter((row) => !isRepeated(rows, row))
  if (!isMobile) return inside(unique)
  const namespaces = [...new Set(unique.map(({ namespace }) => namespace))]
  return Object.fromEntries(
    namespaces.map((namespace) => [namespace, inside(unique.filter((row) => row.namespace === namespace))]),
  )
}

function inside(rows: readonly ClaimRow[]): Body {
  return Object.fromEntries(rows.map(({ name, mapping }) => [name, mapping]))
}

export function isRepeated(rows: readonly ClaimRow[], row: ClaimRow): boolean {
  return rows.find(({ namespace, name }) => namespace === row.namespace && name === row.name) !== row
}

/** Renames a row. Its source follows the name until the user sets another source. */
export function renamed(row: ClaimRow, name: string): ClaimRow {
  const { mapFrom, defaultValue } = row.mapping
  const isOwn = mapFrom === pathTo(row.name) || (mapFrom === undefined && defaultValue === undefined)
  if (!isOwn) return { ...row, name }
  const { mapFrom: _, ...rest } = row.mapping
  return { ...row, name, mapping: name === '' ? rest : { mapFrom: pathTo(name), ...rest } }
}

/** Returns the path of the user claim with this name. */
export function pathTo(name: string): string {
  return /^[^.[\]'"\\\s]+$/.test(name) ? `claims.${name}` : `claims['${name.replace(/[\\']/g, '\\$&')}']`
}
