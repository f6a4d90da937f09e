import type { ClaimNode, ClaimPath, ClaimTree, Disclose } from '../../kit/claim-tree.ts'

export type Change = (node: ClaimNode | undefined) => ClaimNode | undefined

/**
 * Returns the tree with a changed node at a path. Missing objects and arrays are created. A node that becomes undefined is removed, with the
 * objects and arrays that then have no claim.
 */
export function changedAt(tree: ClaimTree, [name, ...path]: ClaimPath, change: Change): ClaimTree {
  if (typeof name !== 'string') return tree
  const { [name]: subtree, ...others } = tree
  const before = Object.hasOwn(tree, name) ? subtree : undefined
  const after = changedIn(before, path, change)
  if (after === undefined) return others
  // A changed node keeps its place.
  return { ...tree, [name]: after }
}

function changedIn(node: ClaimNode | undefined, path: ClaimPath, change: Change): ClaimNode | undefined {
  const [segment, ...rest] = path
  if (segment === undefined) return change(node)
  if (segment === null) {
    if (node && !('each' in node)) return node
    const each = changedIn(node?.each, rest, change)
    return each && { ...node, each }
  }
  if (node && !('members' in node)) return node
  const members = changedAt(node?.members ?? {}, path, change)
  return Object.keys(members).length > 0 ? { ...node, members } : undefined
}

/** Returns the tree with the disclosure of a node. That of elements is in their array. Undefined removes the setting. */
export function withDisclosure(tree: ClaimTree, path: ClaimPath, disclose: Disclose | undefined): ClaimTree {
  const isOfElements = path.at(-1) === null
  return changedAt(tree, isOfElements ? path.slice(0, -1) : path, (node) => {
    if (!node) return node
    if (!isOfElements) return withMember(node, 'disclose', disclose)
    return 'each' in node ? withMember(node, 'discloseEach', disclose) : node
  })
}

/** Returns a node with a new value of a member. Undefined removes the member. */
export function withMember<Node extends ClaimNode>(node: Node, member: string, value: unknown): Node {
  const others = Object.entries(node).filter(([name]) => name !== member)
  // Boundary: the service validates the value of the member.
  return Object.fromEntries(value === undefined ? others : [...others, [member, value]]) as Node
}

/** Reads a typed path: `address.locality` is in an object, `degrees[].type` in the elements of an array. */
export function pathFrom(text: string): ClaimPath {
  return text
    .trim()
    .split('.')
    .flatMap((part) => {
      const [name = '', ...lists] = part.split('[]')
      return lists.every((rest) => rest === '') ? [name, ...lists.map(() => null)] : ['']
    })
}

/** Returns whether a claim can be added at a path. An existing node, or a value on the way, is not replaced. */
export function canAdd(tree: ClaimTree, [name, ...path]: ClaimPath): boolean {
  if (typeof name !== 'string' || name === '') return false
  return canAddIn(Object.hasOwn(tree, name) ? tree[name] : undefined, path)
}

function canAddIn(node: ClaimNode | undefined, path: ClaimPath): boolean {
  const [segment, ...rest] = path
  if (segment === undefined) return node === undefined
  if (segment === null) return (!node || 'each' in node) && canAddIn(node?.each, rest)
  if (!node) return segment !== '' && canAddIn(undefined, rest)
  return 'members' in node && canAdd(node.members, path)
}
