import type { ConfigurationRow } from '../../../db/repos/issuance/configurations.ts'
import { dayMs, plusMs } from '../../../shared/clock.ts'
import { mappingsOf } from '../../../shared/domain/issuance/claim-mappings.ts'
import { parseClaimPath } from '../../../shared/formats/claim-path.ts'
import { ruleOf, standardTypeOf } from '../../../shared/formats/mdoc/doc-types.ts'
import type { ElementType, ValueType } from '../../../shared/formats/mdoc/element-types.ts'
import { type ClaimTree, isClaimArray, isClaimObject } from '../../../shared/formats/sd-jwt/claim-tree.ts'
import type { ClaimType } from '../../../shared/formats/sd-jwt/claim-types.ts'

/** A column of a template and its value in the example row. */
export interface TemplateColumn {
  /** The path of a claim, such as `claims.address.locality`. */
  name: string
  example: string
}

/** A path in the mappings of a configuration, and what a cell for it must contain. */
interface Source {
  mapFrom: string | undefined
  type: ClaimType | ElementType | undefined
  /** The value in the example row. The default depends on the type. */
  example: string | undefined
}

/** Examples of the types that a cell of text can have. Objects and arrays are not among them. */
const examples: Readonly<Partial<Record<ClaimType | ValueType, string>>> = {
  string: 'Example',
  tstr: 'Example',
  bstr: 'RXhhbXBsZQ==',
  integer: '42',
  int: '42',
  uint: '42',
  number: '1.5',
  boolean: 'true',
  bool: 'true',
  date: '2001-12-31',
  'full-date': '2001-12-31',
  'date-time': '2001-12-31T00:00:00Z',
  tdate: '2001-12-31T00:00:00Z',
}

/**
 * Returns the claims that the configuration reads from the user, each once, in its order. Objects, arrays and claims in arrays have no column,
 * because a cell of CSV is a text. JSON Lines can contain them.
 */
export function templateColumns(configuration: ConfigurationRow, now: Date): TemplateColumn[] {
  const columns = new Map<string, TemplateColumn & { path: string[] }>()
  // A claim that is also a date of the validity keeps its place and gets the example of the date.
  for (const { mapFrom = '', type = 'string', example: own } of [
    ...claimsOf(configuration),
    ...datesOf(configuration, now),
  ]) {
    const parsed = parseClaimPath(mapFrom)
    const example = own ?? (typeof type === 'string' ? examples[type] : undefined)
    if (parsed?.source !== 'claims' || example === undefined) continue
    const key = JSON.stringify(parsed.path)
    if (own !== undefined || !columns.has(key)) columns.set(key, { name: mapFrom, example, path: parsed.path })
  }
  const all = [...columns.values()]
  // A claim with members of its own is an object.
  const isObject = (path: string[]) =>
    all.some((other) => other.path.length > path.length && startsWith(other.path, path))
  return all.filter(({ path }) => !isObject(path)).map(({ name, example }) => ({ name, example }))
}

function startsWith(path: string[], start: string[]): boolean {
  return start.every((name, at) => path[at] === name)
}

/** The dates of the validity: a day in the past and a day in the future, so that the example row is valid. */
function datesOf({ profile, settings }: ConfigurationRow, now: Date): Source[] {
  if (profile !== 'mobile' && profile !== 'sd-jwt') return []
  const dayAt = (days: number) =>
    plusMs(now, days * dayMs)
      .toISOString()
      .slice(0, 10)
  return [
    { mapFrom: settings.validFrom?.mapFrom, type: 'date', example: dayAt(-1) },
    { mapFrom: settings.validUntil?.mapFrom, type: 'date', example: dayAt(365) },
  ]
}

function claimsOf(configuration: ConfigurationRow): Source[] {
  if (configuration.profile === 'sd-jwt') return leavesOf(configuration.settings.claimMappings)
  return mappingsOf(configuration).map(({ path, mapping: { mapFrom, defaultValue } }) => {
    const example = defaultValue ?? standardExampleOf(configuration, path)
    return { mapFrom, example, type: elementTypeOf(configuration, path) }
  })
}

/** Returns a value that the standard of the document type allows, if it has a rule for the element. */
function standardExampleOf({ profile, type }: ConfigurationRow, path: readonly string[]): string | undefined {
  const [namespace = '', element = ''] = path
  return profile === 'mobile' ? ruleOf(type, namespace, element)?.example : undefined
}

function elementTypeOf(
  { profile, type, settings }: ConfigurationRow,
  path: readonly string[],
): ElementType | undefined {
  const [namespace = '', element = ''] = path
  if (profile !== 'mobile') return undefined
  return standardTypeOf(type, namespace, element) ?? settings.claimMappings[namespace]?.[element]?.type
}

function leavesOf(tree: ClaimTree): Source[] {
  return Object.values(tree).flatMap((node) => {
    if (isClaimArray(node)) return []
    if (isClaimObject(node)) return leavesOf(node.members)
    return [{ mapFrom: node.mapFrom, example: node.defaultValue, type: node.type }]
  })
}
