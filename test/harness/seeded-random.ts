import { randomInt } from 'node:crypto'
import { onTestFailed } from 'vitest'
import { randomFrom } from './random-from.ts'

/**
 * Returns the seed of the random choices of the current test: `TEST_SEED`, or else the given seed or a random number. A failed test prints
 * the seed. All seeded tests use this function.
 */
export function testSeed(seedOtherwise = randomInt(2 ** 31)): number {
  const seed = Number(process.env.TEST_SEED ?? seedOtherwise)
  onTestFailed(() => console.error(`Set TEST_SEED=${seed} to repeat the random choices of this test.`))
  return seed
}

/** Returns a generator of numbers in [0, 1) for the random choices of the current test. */
export function seededRandom(seedOtherwise?: number): () => number {
  return randomFrom(testSeed(seedOtherwise))
}
