import type { ClaimPath, ClaimTree } from '../../kit/claim-tree.ts'
import { changedAt } from './tree-edit.ts'

/** Returns whether a node is the first or last of its object, and the path of the node before (-1) or after (1) it. */
export function siblingsOf(tree: ClaimTree, path: ClaimPath) {
  const names = namesIn(tree, path.slice(0, -1))
  const at = names.indexOf(String(path.at(-1)))
  return {
    isFirst: at <= 0,
    isLast: at === -1 || at === names.length - 1,
    next(by: -1 | 1): ClaimPath {
      const name = at === -1 ? undefined : names[at + by]
      return name === undefined ? path : [...path.slice(0, -1), name]
    },
  }
}

/**
 * Returns the tree with a node at the place of another one. A node stays in its object, because its place in the credential is its
 * path. If the other node is deeper, the node takes the place of what contains it.
 */
export function movedTo(tree: ClaimTree, path: ClaimPath, target: ClaimPath): ClaimTree {
  const parent = path.slice(0, -1)
  const [name, other] = [path.at(-1), target[parent.length]]
  const isInside = parent.every((segment, index) => segment === target[index])
  if (!isInside || typeof name !== 'string' || typeof other !== 'string' || name === other) return tree
  if (parent.length === 0) return reordered(tree, name, other)
  return changedAt(tree, parent, (node) =>
    node && 'members' in node ? { ...node, members: reordered(node.members, name, other) } : node,
  )
}

function reordered(members: ClaimTree, name: string, other: string): ClaimTree {
  const names = Object.keys(members)
  const [from, to] = [names.indexOf(name), names.indexOf(other)]
  if (from === -1 || to === -1) return members
  const [moved, rest] = [Object.entries(members).slice(from, from + 1), Object.entries(members).toSpliced(from, 1)]
  return Object.fromEntries(rest.toSpliced(to, 0, ...moved))
}

/** Returns the names in the object at a path, in their order. Elements of an array have no names. */
function namesIn(tree: ClaimTree, parent: ClaimPath): string[] {
  let names = parent.length === 0 ? Object.keys(tree) : []
  changedAt(tree, parent, (node) => {
    if (node && 'members' in node) names = Object.keys(node.members)
    return node
  })
  return names
}
