import type { Schemas } from './api.ts'

export type ClaimNode = Schemas['ClaimNode']
/** The claims of an SD-JWT VC by name. */
export type ClaimTree = Readonly<Record<string, ClaimNode>>
type Leaf = Schemas['ClaimLeaf']
export type Disclose = NonNullable<Leaf['disclose']>

/** A claim of a tree with its place. */
export interface PlacedClaim {
  /** Null stands for the elements of an array. */
  path: readonly (string | null)[]
  leaf: Leaf
  /** Whether the holder decides about the claim, or about an object or array around it. */
  isDisclosable: boolean
}

/** Returns the claims of a tree in its order. `disclose` is the setting of the configuration. */
export function placedClaims(tree: ClaimTree, disclose: Disclose = 'always'): PlacedClaim[] {
  const within = (path: PlacedClaim['path'], node: ClaimNode, own: Disclose | undefined, around: boolean) => {
    const isDisclosable = around || (own ?? disclose) === 'always'
    if ('members' in node) return ofMembers(path, node.members, isDisclosable)
    if ('each' in node) return within([...path, null], node.each, node.discloseEach, isDisclosable)
    return [{ path, leaf: node, isDisclosable }]
  }
  const ofMembers = (path: PlacedClaim['path'], members: ClaimTree, around: boolean): PlacedClaim[] =>
    Object.entries(members).flatMap(([name, node]) => within([...path, name], node, node.disclose, around))
  return ofMembers([], tree, false)
}
