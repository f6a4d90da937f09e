import { hash } from 'node:crypto'

/**
 * Merkle trees of RFC 9162, section 2.1, with SHA-256. A tree of many leaves is read in tiles: 256 hashes of one level. Level 0
 * has the leaves, and each hash of a higher level is the root of 256 hashes of the level below.
 */
export const tileSize = 256
const tileBits = 8

/** Reads the hashes of a tile: level, and number of the tile within its level. The last tile of level 0 can be shorter. */
export type ReadTile = (level: number, tile: number) => Promise<Buffer[]>

/** RFC 9162, section 2.1.1: the hash of a leaf. */
export function leafHash(entry: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([Buffer.from([0]), entry]), 'buffer')
}

/** RFC 9162, section 2.1.1: the hash of an inner node. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  return hash('sha256', Buffer.concat([Buffer.from([1]), left, right]), 'buffer')
}

/** Returns the root of a complete subtree. The number of its hashes must be a power of two. */
export function rootOfComplete(hashes: readonly Buffer[]): Buffer {
  const [first] = hashes
  if (!first) throw new Error('A subtree without hashes has no root.')
  if (hashes.length === 1) return first
  const middle = hashes.length / 2
  return nodeHash(rootOfComplete(hashes.slice(0, middle)), rootOfComplete(hashes.slice(middle)))
}

/** The first `size` leaves of a tree. */
export interface MerkleTree {
  root(): Promise<Buffer>
  /** RFC 9162, section 2.1.3.1: proves that the tree contains the leaf at `index`, which starts at 0. */
  inclusionProof(index: number): Promise<Buffer[]>
  /** RFC 9162, section 2.1.4.1: proves that the tree begins with the tree of `from` leaves. */
  consistencyProof(from: number): Promise<Buffer[]>
}

/** Opens a tree. Reads each tile once, at most two per level for a root or a proof. */
export function openMerkleTree(size: number, readTile: ReadTile): MerkleTree {
  const tiles = new Map<string, Promise<Buffer[]>>()

  function tileAt(level: number, tile: number): Promise<Buffer[]> {
    const key = `${level} ${tile}`
    const hashes = tiles.get(key) ?? readTile(level, tile)
    tiles.set(key, hashes)
    return hashes
  }

  /** Returns the root of the complete subtree of `2 ** bits` leaves from `start`. */
  async function complete(start: number, bits: number): Promise<Buffer> {
    const level = Math.floor(bits / tileBits)
    const count = 2 ** (bits - level * tileBits)
    const first = start / 2 ** (level * tileBits)
    const hashes = await tileAt(level, Math.floor(first / tileSize))
    const from = first % tileSize
    if (hashes.length < from + count) throw new Error(`The tree lacks hashes of level ${level} from ${first}.`)
    return rootOfComplete(hashes.slice(from, from + count))
  }

  /** Returns the root of the leaves from `start` to `end`, which is after `start`. `start` is a multiple of the largest power of two in it. */
  async function rootOf(start: number, end: number): Promise<Buffer> {
    const bits = Math.floor(Math.log2(end - start))
    const left = await complete(start, bits)
    const next = start + 2 ** bits
    return next === end ? left : nodeHash(left, await rootOf(next, end))
  }

  async function path(index: number, start: number, end: number): Promise<Buffer[]> {
    if (end - start === 1) return []
    const middle = start + splitOf(end - start)
    return index < middle
      ? [...(await path(index, start, middle)), await rootOf(middle, end)]
      : [...(await path(index, middle, end)), await rootOf(start, middle)]
  }

  async function subproof(from: number, start: number, end: number, isWhole: boolean): Promise<Buffer[]> {
    if (from === end) return isWhole ? [] : [await rootOf(start, end)]
    const middle = start + splitOf(end - start)
    return from <= middle
      ? [...(await subproof(from, start, middle, isWhole)), await rootOf(middle, end)]
      : [...(await subproof(from, middle, end, false)), await rootOf(start, middle)]
  }

  return {
    root: async () => (size === 0 ? hash('sha256', '', 'buffer') : rootOf(0, size)),
    inclusionProof: (index) => path(index, 0, size),
    consistencyProof: (from) => subproof(from, 0, size, true),
  }
}

/** Returns the largest power of two below `count`, which is above 1. */
function splitOf(count: number): number {
  return 2 ** Math.floor(Math.log2(count - 1))
}

/** RFC 9162, section 2.1.3.2: whether the tree of this root and size contains the leaf at `index`. */
export function isIncluded(
  { index, size, leaf, root }: { index: number; size: number; leaf: Buffer; root: Buffer },
  proof: readonly Buffer[],
): boolean {
  if (index < 0 || index >= size) return false
  let [position, last, reached] = [index, size - 1, leaf]
  for (const sibling of proof) {
    if (last === 0) return false
    if (position % 2 === 1 || position === last) {
      reached = nodeHash(sibling, reached)
      while (position % 2 === 0 && position !== 0) [position, last] = [position / 2, Math.floor(last / 2)]
    } else {
      reached = nodeHash(reached, sibling)
    }
    ;[position, last] = [Math.floor(position / 2), Math.floor(last / 2)]
  }
  return last === 0 && reached.equals(root)
}

interface SizedRoot {
  size: number
  root: Buffer
}

/** RFC 9162, section 2.1.4.2: whether the later tree begins with the earlier one. */
export function isConsistent(earlier: SizedRoot, later: SizedRoot, proof: readonly Buffer[]): boolean {
  if (earlier.size < 1 || earlier.size > later.size) return false
  if (earlier.size === later.size) return proof.length === 0 && earlier.root.equals(later.root)
  const isPower = Number.isInteger(Math.log2(earlier.size))
  const [first, ...rest] = isPower ? [earlier.root, ...proof] : proof
  if (!first) return false
  let [position, last] = [earlier.size - 1, later.size - 1]
  while (position % 2 === 1) [position, last] = [Math.floor(position / 2), Math.floor(last / 2)]
  let [ofEarlier, ofLater] = [first, first]
  for (const sibling of rest) {
    if (last === 0) return false
    if (position % 2 === 1 || position === last) {
      ofEarlier = nodeHash(sibling, ofEarlier)
      ofLater = nodeHash(sibling, ofLater)
      while (position % 2 === 0 && position !== 0) [position, last] = [position / 2, Math.floor(last / 2)]
    } else {
      ofLater = nodeHash(ofLater, sibling)
    }
    ;[position, last] = [Math.floor(position / 2), Math.floor(last / 2)]
  }
  return last === 0 && ofEarlier.equals(earlier.root) && ofLater.equals(later.root)
}

/** Computes the roots of a growing tree. */
export interface GrowingTree {
  add(leaf: Buffer): void
  /** Returns the root of the leaves so far. */
  root(): Buffer
}

export function createGrowingTree(): GrowingTree {
  /** The roots of the complete subtrees from the left, by their sizes, which fall. */
  const roots: { root: Buffer; size: number }[] = []
  return {
    add(leaf) {
      let added = { root: leaf, size: 1 }
      for (let last = roots.at(-1); last?.size === added.size; last = roots.at(-1)) {
        roots.pop()
        added = { root: nodeHash(last.root, added.root), size: 2 * added.size }
      }
      roots.push(added)
    },
    root() {
      const right = roots.at(-1)?.root ?? hash('sha256', '', 'buffer')
      return roots.slice(0, -1).reduceRight((reached, { root }) => nodeHash(root, reached), right)
    },
  }
}
