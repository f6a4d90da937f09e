import { type ListPath, parseListPath } from '../../../formats/claim-path.ts'
import { type ClaimNode, type ClaimTree, isClaimArray, isClaimObject } from '../../../formats/sd-jwt/claim-tree.ts'
import { mappingsOf } from '../claim-mappings.ts'
import type { OfProfile } from '../profiles.ts'
import type { ClaimSources } from './claim-values.ts'
import { hasMappedValidity } from './mapped-validity.ts'

/**
 * Returns the reason why a claim of the sources does not fit the path of a mapping, such as a text at `address` where
 * `claims.address.locality` is mapped. Returns undefined if all claims fit. An absent claim or null fits. Each source
 * counts up to the first with a value.
 */
export function findShapeFault(configuration: OfProfile<object>, { claims }: ClaimSources): string | undefined {
  for (const mapFrom of mapFromsOf(configuration)) {
    const parsed = parseListPath(mapFrom)
    if (parsed?.source !== 'claims') continue
    for (const source of claims) {
      const found = follow(source, parsed.path)
      if ('misfit' in found)
        return `The claim ${writtenPath(found.misfit)} must be an object, because ${mapFrom} is mapped`
      if (found.hasValue) break
    }
  }
  return undefined
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

type Followed = { misfit: ListPath['path'] } | { hasValue: boolean }

/** Follows a path from `value`. Stops at the first value with members in the path that is not an object. */
function follow(value: unknown, path: ListPath['path'], at = 0): Followed {
  if (value === undefined || value === null) return { hasValue: false }
  if (at === path.length) return { hasValue: true }
  const name = path[at]
  if (name === null || name === undefined) return followElements(value, path, at)
  if (typeof value !== 'object' || Array.isArray(value)) return { misfit: path.slice(0, at) }
  return follow(Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined, path, at + 1)
}

/** A value that is not a list has its own fault: `checkClaims` finds it. */
function followElements(value: unknown, path: ListPath['path'], at: number): Followed {
  if (!Array.isArray(value)) return { hasValue: true }
  const misfit = value.map((element) => follow(element, path, at + 1)).find((found) => 'misfit' in found)
  return misfit ?? { hasValue: true }
}

function writtenPath(path: ListPath['path']): string {
  return path
    .map((name) => name ?? '[]')
    .join('.')
    .replaceAll('.[]', '[]')
}
