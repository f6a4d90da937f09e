import { isRecord } from '../../kit/form-values.ts'
import type { Body } from './body.ts'

/** A claim while it is edited. Two rows may temporarily have one name, which a body cannot express. */
export interface ClaimRow {
  key: number
  /** The namespace of the element. Only mobile credentials have it. */
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

/** Returns a new row without a name. */
export function newRow(namespace: string): ClaimRow {
  return { key: ++keys, namespace, name: '', mapping: {} }
}

/** Returns the rows of each namespace, in the order of their first rows. */
export function groupsOf(rows: readonly ClaimRow[]): [namespace: string, rows: readonly ClaimRow[]][] {
  const namespaces = [...new Set(rows.map(({ namespace }) => namespace))]
  return namespaces.map((each) => [each, rows.filter(({ namespace }) => namespace === each)])
}

/** Moves a row up (-1) or down (1) within its namespace. */
export function stepped(rows: readonly ClaimRow[], row: ClaimRow, step: -1 | 1): readonly ClaimRow[] {
  const siblings = rows.filter(({ namespace }) => namespace === row.namespace)
  const other = siblings[siblings.indexOf(row) + step]
  return other ? movedTo(rows, row.key, other) : rows
}

/** Moves a row to the place of another one, and into its namespace. */
export function movedTo(rows: readonly ClaimRow[], key: number, target: ClaimRow): readonly ClaimRow[] {
  const row = rows.find((each) => each.key === key)
  if (!row || row === target) return rows
  const others = rows.filter((each) => each !== row)
  const isDown = rows.indexOf(row) < rows.indexOf(target)
  const place = others.indexOf(target) + (isDown ? 1 : 0)
  return [...others.slice(0, place), { ...row, namespace: target.namespace }, ...others.slice(place)]
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
