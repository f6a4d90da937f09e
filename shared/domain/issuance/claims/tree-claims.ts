import { parseListPath, readPath } from '../../../formats/claim-path.ts'
import {
  type ClaimArray,
  type ClaimLeaf,
  type ClaimNode,
  type ClaimTree,
  isClaimArray,
  isClaimObject,
} from '../../../formats/sd-jwt/claim-tree.ts'
import { convertText } from '../../../formats/sd-jwt/claim-types.ts'
import { type ClaimSources, findValueAt } from './claim-values.ts'

/** The sources, and the current element of each list that the arrays around a node go through, the outermost first. */
interface Scope {
  readonly sources: ClaimSources
  readonly elements: readonly unknown[]
}

/**
 * Maps the sources to the claims of a tree, in its order. The sources of a value are those of flat mappings (`mapClaims`). Claims,
 * objects and elements without a value are left out, except for elements that are required: these stay empty, so that `checkClaims` finds
 * them. `checkClaims` also finds other missing claims.
 */
export function mapTreeClaims(tree: ClaimTree, sources: ClaimSources): Record<string, unknown> {
  return mapMembers(tree, { sources, elements: [] })
}

function mapMembers(tree: ClaimTree, scope: Scope): Record<string, unknown> {
  const members = Object.entries(tree).map(([name, node]): [string, unknown] => [name, mapNode(node, scope)])
  return Object.fromEntries(members.filter(([, value]) => value !== undefined))
}

function mapNode(node: ClaimNode, scope: Scope): unknown {
  if (isClaimArray(node)) return mapArray(node, scope)
  if (!isClaimObject(node)) return mapLeaf(node, scope)
  const members = mapMembers(node.members, scope)
  return Object.keys(members).length > 0 ? members : undefined
}

function mapLeaf({ mapFrom, defaultValue, type }: ClaimLeaf, scope: Scope): unknown {
  const value = mapFrom === undefined ? undefined : findMapped(mapFrom, scope)
  return convertText(value ?? defaultValue, type)
}

function findMapped(mapFrom: string, { sources, elements }: Scope): unknown {
  const parsed = parseListPath(mapFrom)
  if (!parsed) return undefined
  const [first = [], ...others] = splitAtLists(parsed.path)
  if (others.length === 0) return findValueAt({ source: parsed.source, path: first }, sources)
  return readPath(elements[others.length - 1], others.at(-1) ?? [])
}

/** Maps each element of the list. A value that is not a list stays as it is, so that `checkClaims` finds it. */
function mapArray({ each }: ClaimArray, scope: Scope): unknown {
  const { sources, elements } = scope
  const path = listPathOf(each, elements.length)
  if (!path) return undefined
  const list =
    elements.length === 0 ? findValueAt({ source: 'claims', path }, sources) : readPath(elements.at(-1), path)
  if (!Array.isArray(list)) return list ?? undefined
  return list.flatMap((element: unknown): unknown[] => {
    const value = mapNode(each, { sources, elements: [...elements, element] })
    if (value !== undefined) return [value]
    return isRequired(each) ? [emptyOf(each)] : []
  })
}

/** Returns the part of the path to the list at a level of arrays, from 0. Any claim in the array has it. */
function listPathOf(node: ClaimNode, level: number): string[] | undefined {
  return listPathsIn(node, level)[0]?.at(-1)
}

/** Returns the paths of the claims in a node that go through the list at a level of arrays, each in parts up to that list. */
export function listPathsIn(node: ClaimNode, level: number): string[][][] {
  if (isClaimArray(node)) return listPathsIn(node.each, level)
  if (isClaimObject(node)) return Object.values(node.members).flatMap((member) => listPathsIn(member, level))
  const parsed = node.mapFrom === undefined ? undefined : parseListPath(node.mapFrom)
  const parts = parsed ? splitAtLists(parsed.path) : []
  return parts.length > level + 1 ? [parts.slice(0, level + 1)] : []
}

/** Splits a path at `[]`: `claims.degrees[].type` has the parts `degrees` and `type`. */
export function splitAtLists(path: readonly (string | null)[]): string[][] {
  const parts: string[][] = [[]]
  for (const segment of path) {
    if (segment === null) parts.push([])
    else parts.at(-1)?.push(segment)
  }
  return parts
}

function isRequired(node: ClaimNode): boolean {
  if (isClaimArray(node)) return isRequired(node.each)
  return isClaimObject(node) ? Object.values(node.members).some(isRequired) : node.required === true
}

function emptyOf(node: ClaimNode): unknown {
  if (isClaimArray(node)) return []
  return isClaimObject(node) ? {} : null
}
