import type { Schemas } from './api.ts'

export type ClaimNode = Schemas['ClaimNode']
/** The claims of an SD-JWT VC by name. */
export type ClaimTree = Readonly<Record<string, ClaimNode>>
type Leaf = Schemas['ClaimLeaf']
export type Disclose = NonNullable<Leaf['disclose']>

/** The path of a node. Null stands for the elements of an array. */
export type ClaimPath = readonly (string | null)[]

/** A node of a tree with its place. */
export interface PlacedNode {
  path: ClaimPath
  node: ClaimNode
  /** The setting of the node itself. That of elements is in their array. */
  disclose: Disclose | undefined
  /** Whether the holder decides about the node, or about an object or array around it. */
  isDisclosable: boolean
}

/** Returns the nodes of a tree in its order, each before those in it. `disclose` is the setting of the configuration. */
export function placedNodes(tree: ClaimTree, disclose: Disclose = 'always'): PlacedNode[] {
  const within = (path: ClaimPath, node: ClaimNode, own: Disclose | undefined, around: boolean): PlacedNode[] => {
    const isDisclosable = around || (own ?? disclose) === 'always'
    const placed = { path, node, disclose: own, isDisclosable }
    if ('members' in node) return [placed, ...ofMembers(path, node.members, isDisclosable)]
    if ('each' in node) return [placed, ...within([...path, null], node.each, node.discloseEach, isDisclosable)]
    return [placed]
  }
  const ofMembers = (path: ClaimPath, members: ClaimTree, around: boolean): PlacedNode[] =>
    Object.entries(members).flatMap(([name, node]) => within([...path, name], node, node.disclose, around))
  return ofMembers([], tree, false)
}

/** A claim of a tree with its place. */
export interface PlacedClaim extends Pick<PlacedNode, 'path' | 'isDisclosable'> {
  leaf: Leaf
}

/** Returns the claims of a tree in its order, without the objects and arrays around them. */
export function placedClaims(tree: ClaimTree, disclose: Disclose = 'always'): PlacedClaim[] {
  return placedNodes(tree, disclose).flatMap(({ path, node, isDisclosable }) =>
    isLeaf(node) ? [{ path, leaf: node, isDisclosable }] : [],
  )
}

export function isLeaf(node: ClaimNode): node is Leaf {
  return !('members' in node) && !('each' in node)
}
