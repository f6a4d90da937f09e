import { randomInt } from 'node:crypto'
import { onTestFailed } from 'vitest'

/**
 * Returns a generator of numbers in [0, 1) for the random choices of the current test. Its seed is `TEST_SEED`, or a random number. A failed
 * test prints the seed.
 */
export function seededRandom(): () => number {
  const seed = Number(process.env.TEST_SEED ?? randomInt(2 ** 31))
  onTestFailed(() => console.error(`Set TEST_SEED=${seed} to repeat the random choices of this test.`))
  return randomFrom(seed)
}

/** The generator mulberry32. */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
