import { expect, test } from 'vitest'
import {
  isConsistent,
  isIncluded,
  leafHash,
  nodeHash,
  openMerkleTree,
  type ReadTile,
  rootOfComplete,
  tileSize,
} from '../../../shared/formats/merkle-tree.ts'

/** Reads tiles of leaves in memory. */
function tilesOf(leaves: Buffer[]): ReadTile {
  const levelOf = (level: number): Buffer[] => {
    if (level === 0) return leaves
    const below = levelOf(level - 1)
    const complete = Math.floor(below.length / tileSize)
    return Array.from({ length: complete }, (_, at) => rootOfComplete(below.slice(at * tileSize, (at + 1) * tileSize)))
  }
  return async (level, tile) => levelOf(level).slice(tile * tileSize, (tile + 1) * tileSize)
}

/** The definition of RFC 9162, section 2.1.1, without tiles. */
function rootByDefinition(leaves: Buffer[]): Buffer {
  if (leaves.length === 1) return leaves[0]!
  const split = 2 ** Math.floor(Math.log2(leaves.length - 1))
  return nodeHash(rootByDefinition(leaves.slice(0, split)), rootByDefinition(leaves.slice(split)))
}

const numbered = (count: number) => Array.from({ length: count }, (_, at) => leafHash(Buffer.from(String(at))))

test('roots are those of the reference implementation of Certificate Transparency', async () => {
  const entries = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
  const leaves = entries.map((entry) => leafHash(Buffer.from(entry, 'hex')))
  const roots = await Promise.all(
    [0, ...leaves.keys().map((at) => at + 1)].map((size) => openMerkleTree(size, tilesOf(leaves)).root()),
  )
  expect(roots.map((root) => root.toString('hex'))).toEqual([
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
    'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
    'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
    'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
    '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
    'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
    '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
  ])
})

test('roots of tiles agree with the definition, and each proof verifies for its leaf and size only', async () => {
  const leaves = numbered(700)
  for (const size of [1, 2, 3, 255, 256, 257, 511, 512, 513, 699, 700]) {
    const tree = openMerkleTree(size, tilesOf(leaves))
    const root = await tree.root()
    expect(root).toEqual(rootByDefinition(leaves.slice(0, size)))
    for (const index of new Set([0, 1, 254, 255, 256, size - 1].filter((each) => each < size))) {
      const proof = await tree.inclusionProof(index)
      const leaf = leaves[index]!
      expect(proof.length).toBeLessThanOrEqual(10)
      expect(isIncluded({ index, size, leaf, root }, proof)).toBe(true)
      expect(isIncluded({ index: index + 1, size, leaf, root }, proof)).toBe(false)
      expect(isIncluded({ index, size, leaf: leafHash(leaf), root }, proof)).toBe(false)
      expect(isIncluded({ index, size, leaf, root: leaf }, proof)).toBe(size === 1)
      expect(isIncluded({ index, size, leaf, root }, [...proof, root])).toBe(false)
      if (proof.length > 0) expect(isIncluded({ index, size, leaf, root }, proof.slice(1))).toBe(false)
    }
  }
})

test('a later tree is consistent with each earlier one, and not with another tree', async () => {
  const leaves = numbered(600)
  const rootAt = (size: number) => openMerkleTree(size, tilesOf(leaves)).root()
  for (const later of [1, 2, 7, 8, 256, 300, 513, 600]) {
    const to = { size: later, root: await rootAt(later) }
    for (const earlier of new Set(
      [1, 2, 3, 6, 7, 255, 256, 257, later - 1, later].filter((each) => each >= 1 && each <= later),
    )) {
      const from = { size: earlier, root: await rootAt(earlier) }
      const proof = await openMerkleTree(later, tilesOf(leaves)).consistencyProof(earlier)
      expect(isConsistent(from, to, proof)).toBe(true)
      const other = leafHash(Buffer.from('another tree'))
      expect(isConsistent({ ...from, root: other }, to, proof)).toBe(false)
      expect(isConsistent(from, { ...to, root: other }, proof)).toBe(false)
      expect(isConsistent(from, to, [...proof, other])).toBe(false)
      if (proof.length > 0) expect(isConsistent(from, to, proof.slice(1))).toBe(false)
    }
  }
  expect(isConsistent({ size: 3, root: await rootAt(3) }, { size: 2, root: await rootAt(2) }, [])).toBe(false)
})

test('a proof in a million leaves reads at most two tiles per level', async () => {
  const size = 1_000_000
  const read: string[] = []
  const readTile: ReadTile = async (level, tile) => {
    read.push(`${level} ${tile}`)
    return Array.from({ length: tileSize }, (_, at) => leafHash(Buffer.from(`${level} ${tile} ${at}`)))
  }
  const proof = await openMerkleTree(size, readTile).inclusionProof(123_456)
  expect(proof.length).toBeLessThanOrEqual(20)
  expect(read.length).toBeLessThanOrEqual(6)
  expect(new Set(read).size).toBe(read.length)
})
