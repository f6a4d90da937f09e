import type { ClaimNode, ClaimTree, PlacedClaim } from '../../kit/claim-tree.ts'

type Path = PlacedClaim['path']
type Change = (node: ClaimNode | undefined) => ClaimNode | undefined

/**
 * Returns the tree with a changed claim at a path, where null stands for the elements of an array. Missing objects are created. A claim that
 * becomes undefined is removed, with the objects and arrays that then have no claim.
 */
export function changedAt(tree: ClaimTree, [name, ...path]: Path, change: Change): ClaimTree {
  if (typeof name !== 'string') return tree
  const { [name]: known, ...others } = tree
  const before = Object.hasOwn(tree, name) ? known : undefined
  const after = changedIn(before, path, change)
  if (after === undefined) return others
  // A changed claim keeps its place.
  return { ...tree, [name]: after }
}

function changedIn(node: ClaimNode | undefined, path: Path, change: Change): ClaimNode | undefined {
  const [segment, ...rest] = path
  if (segment === undefined) return change(node)
  if (segment === null) {
    if (!node || !('each' in node)) return node
    const each = changedIn(node.each, rest, change)
    return each && { ...node, each }
  }
  if (node && !('members' in node)) return node
  const members = changedAt(node?.members ?? {}, path, change)
  return Object.keys(members).length > 0 ? { ...node, members } : undefined
}

/** Returns whether a claim can be added at a path of names. An existing claim, or a value on the way, is not replaced. */
export function canAdd(tree: ClaimTree, [name = '', ...path]: readonly string[]): boolean {
  if (name === '') return false
  const node = Object.hasOwn(tree, name) ? tree[name] : undefined
  if (path.length === 0) return node === undefined
  if (node === undefined) return path.every((each) => each !== '')
  return 'members' in node && canAdd(node.members, path)
}
