import { isRecord } from '../../kit/form-values.ts'
import type { Body } from './body.ts'

/** A claim as it is being typed: two may have one name meanwhile, which a body cannot say. */
export interface ClaimRow {
  key: number
  /** Of mobile credentials alone. */
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

/** Another claim behind the others, in the namespace of the last. */
export function newRow(rows: readonly ClaimRow[], firstNamespace: string): ClaimRow {
  return { key: ++keys, namespace: rows.at(-1)?.namespace ?? firstNamespace, name: '', mapping: {} }
}

/** What the rows say; of those with one name the first. */
export function mappingsOf(rows: readonly ClaimRow[], isMobile: boolean): Body {
  const said = rows.filter((row) => !isRepeated(rows, row))
  if (!isMobile) return inside(said)
  const namespaces = [...new Set(said.map(({ namespace }) => namespace))]
  return Object.fromEntries(
    namespaces.map((namespace) => [namespace, inside(said.filter((row) => row.namespace === namespace))]),
  )
}

function inside(rows: readonly ClaimRow[]): Body {
  return Object.fromEntries(rows.map(({ name, mapping }) => [name, mapping]))
}

export function isRepeated(rows: readonly ClaimRow[], row: ClaimRow): boolean {
  return rows.find(({ namespace, name }) => namespace === row.namespace && name === row.name) !== row
}

/** With another name; where its value comes from follows, as long as nobody has said otherwise. */
export function renamed(row: ClaimRow, name: string): ClaimRow {
  const { mapFrom, defaultValue } = row.mapping
  const isOwn = mapFrom === pathTo(row.name) || (mapFrom === undefined && defaultValue === undefined)
  if (!isOwn) return { ...row, name }
  const { mapFrom: _, ...rest } = row.mapping
  return { ...row, name, mapping: name === '' ? rest : { mapFrom: pathTo(name), ...rest } }
}

/** The path to the user's claim of this name. */
export function pathTo(name: string): string {
  return /^[^.[\]'"\\\s]+$/.test(name) ? `claims.${name}` : `claims['${name.replace(/[\\']/g, '\\$&')}']`
}
