import { type ListPath, parseListPath } from '../../../formats/claim-path.ts'
import type { ClaimPointer } from '../../../formats/sd-jwt/claim-pointer.ts'
import { type ClaimNode, type ClaimTree, isClaimArray, isClaimObject } from '../../../formats/sd-jwt/claim-tree.ts'
import { mappingAt, mappingsOf } from '../claim-mappings.ts'
import type { OfProfile } from '../profiles.ts'
import type { ClaimSources } from './claim-values.ts'
import { hasMappedValidity } from './mapped-validity.ts'

/** A path to claims, as it is written and parsed. */
export interface MappedPath {
  mapFrom: string
  path: ListPath['path']
}

/** Returns the paths to claims that the mappings and the validity of a configuration name. */
export function mappedPathsOf(configuration: OfProfile<object>): MappedPath[] {
  return mapFromsOf(configuration).flatMap((mapFrom) => {
    const parsed = parseListPath(mapFrom)
    return parsed?.source === 'claims' ? [{ mapFrom, path: parsed.path }] : []
  })
}

/** Returns the first path to claims that has a value in no source. A default of the configuration is no source. */
export function findPathWithoutSource(configuration: OfProfile<object>, { claims }: ClaimSources): string | undefined {
  const hasValue = (source: unknown, path: ListPath['path']) => {
    const end = followPath(source, path)
    return 'misfit' in end || end.hasValue
  }
  return mappedPathsOf(configuration).find(({ path }) => !claims.some((source) => hasValue(source, path)))?.mapFrom
}

/** Returns the path of the value that is mapped to a claim, or to the first claim in it. `path` is the path of the claim in the credential. */
export function mapFromOf(configuration: OfProfile<object>, path: ClaimPointer): string | undefined {
  if (configuration.profile === 'sd-jwt') return leafAt(configuration.settings.claimMappings, path)
  return mappingAt(configuration, path)?.mapFrom
}

function leafAt(tree: ClaimTree, [name, ...rest]: ClaimPointer): string | undefined {
  const node = typeof name === 'string' && Object.hasOwn(tree, name) ? tree[name] : undefined
  if (!node) return undefined
  const { inner, left } = withoutArrays(node, rest)
  if (!isClaimObject(inner) || left.length === 0) return leavesIn(inner)[0]
  return leafAt(inner.members, left)
}

function withoutArrays(node: ClaimNode, path: ClaimPointer) {
  let [inner, left] = [node, path]
  for (; isClaimArray(inner); left = left.slice(1)) inner = inner.each
  return { inner, left }
}

function mapFromsOf(configuration: OfProfile<object>): string[] {
  const mapped =
    configuration.profile === 'sd-jwt'
      ? leavesOf(configuration.settings.claimMappings)
      : mappingsOf(configuration).map(({ mapping }) => mapping.mapFrom)
  return [...mapped, ...validityPathsOf(configuration)].filter((mapFrom) => mapFrom !== undefined)
}

function validityPathsOf(configuration: OfProfile<object>): (string | undefined)[] {
  if (!hasMappedValidity(configuration)) return []
  const { validFrom, validUntil } = configuration.settings
  return [validFrom?.mapFrom, validUntil?.mapFrom]
}

function leavesOf(tree: ClaimTree): (string | undefined)[] {
  return Object.values(tree).flatMap(leavesIn)
}

function leavesIn(node: ClaimNode): (string | undefined)[] {
  if (isClaimArray(node)) return leavesIn(node.each)
  return isClaimObject(node) ? leavesOf(node.members) : [node.mapFrom]
}

/** `misfit` is the path of a value that has members in the path and is not an object. */
type Followed = { misfit: ListPath['path'] } | { hasValue: boolean }

/** Follows a path from `value`. Stops at the first value with members in the path that is not an object. */
export function followPath(value: unknown, path: ListPath['path'], at = 0): Followed {
  if (value === undefined || value === null) return { hasValue: false }
  if (at === path.length) return { hasValue: true }
  const name = path[at]
  if (name === null || name === undefined) return followElements(value, path, at)
  if (typeof value !== 'object' || Array.isArray(value)) return { misfit: path.slice(0, at) }
  return followPath(Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined, path, at + 1)
}

/** A value that is not a list has its own fault: `checkClaims` finds it. */
function followElements(value: unknown, path: ListPath['path'], at: number): Followed {
  if (!Array.isArray(value)) return { hasValue: true }
  const misfit = value.map((element) => followPath(element, path, at + 1)).find((end) => 'misfit' in end)
  return misfit ?? { hasValue: true }
}
