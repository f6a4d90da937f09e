import { createHash } from 'node:crypto'
import type { ClaimNode, ClaimTree, Disclosability } from '../../../../shared/formats/sd-jwt/claim-tree.ts'

/** A source of numbers from 0 below a limit, which are the same for the same seed. */
export type Numbers = (below: number) => number

export function seededNumbers(seed: number): Numbers {
  let state = seed >>> 0
  return (below) => {
    // Mulberry32
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

/** A random source for salts: a hash of the seed and a counter. */
export function seededBytes(seed: number): (byteCount: number) => Buffer {
  let counter = 0
  return (byteCount) => createHash('shake256', { outputLength: byteCount }).update(`${seed} ${counter++}`).digest()
}

const names = [
  'name',
  'a.b',
  '.',
  'ünïcödé',
  '名前',
  'with space',
  "quote's",
  '18',
  '0',
  'constructor',
  '$ref',
  '#',
  '\u{1F600}',
]
const values = [
  null,
  true,
  false,
  0,
  42,
  -1.5,
  '',
  'text',
  'Möbius',
  '\u{1F468}\u{200D}\u{1F469}',
  '"\\\n',
  [],
  {},
  [[]],
  [null, [1, 'x']],
  { a: { b: [null] } },
]

export interface RandomTree {
  tree: ClaimTree
  claims: Record<string, unknown>
  disclose: Disclosability
}

/** A tree of at most six levels with claims that fit it. Each leaf has a text that occurs nowhere else, or one of `values`. */
export function randomTree(numbers: Numbers): RandomTree {
  let unique = 0
  const pick = <Item>(items: readonly Item[]): Item => items[numbers(items.length)]!
  const setting = (): { disclose?: Disclosability } => pick([{}, { disclose: 'always' }, { disclose: 'never' }])
  const leafValue = () => (numbers(2) === 0 ? `secret-${unique++}` : structuredClone(pick(values)))

  function members(depth: number): { tree: ClaimTree; fill: () => Record<string, unknown> } {
    const chosen = new Set(Array.from({ length: numbers(5) }, () => pick(names)))
    const nodes = [...chosen].map((name) => ({ name, ...node(depth) }))
    return {
      tree: Object.fromEntries(nodes.map(({ name, mapping }) => [name, mapping])),
      // One of eight claims is missing.
      fill: () => Object.fromEntries(nodes.filter(() => numbers(8) > 0).map(({ name, fill }) => [name, fill()])),
    }
  }

  function node(depth: number, isElement = false): { mapping: ClaimNode; fill: () => unknown } {
    const kind = depth >= 6 ? 0 : numbers(3)
    const own = isElement ? {} : setting()
    if (kind === 0) return { mapping: own, fill: leafValue }
    if (kind === 1) {
      const { tree, fill } = members(depth + 1)
      return { mapping: { members: tree, ...own }, fill }
    }
    const { mapping: each, fill } = node(depth + 1, true)
    const { disclose } = setting()
    const mapping = { each, ...own, ...(disclose && { discloseEach: disclose }) }
    return { mapping, fill: () => Array.from({ length: numbers(4) }, fill) }
  }

  const { tree, fill } = members(1)
  return { tree, claims: fill(), disclose: pick(['always', 'never']) }
}
