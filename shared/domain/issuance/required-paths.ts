import { parseClaimPath } from '../../formats/claim-path.ts'
import { type ClaimTree, isClaimArray, isClaimObject } from '../../formats/sd-jwt/claim-tree.ts'
import { mappingsOf } from './claim-mappings.ts'
import type { OfProfile } from './profiles.ts'

type Leaf = Pick<Extract<ClaimTree[string], { mapFrom?: string }>, 'mapFrom' | 'defaultValue' | 'required'>

/**
 * Returns the paths of the claims of an issuance that must have a value, such as `claims.address.locality`, in the order of the configuration.
 * A claim with a default value, and a claim in the elements of a list, need none.
 */
export function requiredPaths(configuration: OfProfile<object>): string[] {
  const leaves =
    configuration.profile === 'sd-jwt'
      ? leavesOf(configuration.settings.claimMappings)
      : mappingsOf(configuration).map(({ mapping }) => mapping)
  return leaves.flatMap(({ mapFrom, defaultValue, required }) => {
    if (!required || mapFrom === undefined || defaultValue !== undefined) return []
    return parseClaimPath(mapFrom)?.source === 'claims' ? [mapFrom] : []
  })
}

function leavesOf(tree: ClaimTree): Leaf[] {
  return Object.values(tree).flatMap((node) => {
    if (isClaimObject(node)) return leavesOf(node.members)
    return isClaimArray(node) ? [] : [node]
  })
}
