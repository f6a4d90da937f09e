import { randomInt } from 'node:crypto'
import { onTestFailed } from 'vitest'
import { randomFrom } from './random-from.ts'

/**
 * Returns a generator of numbers in [0, 1) for the random choices of the current test. Its seed is `TEST_SEED`, or a random number. A failed
 * test prints the seed.
 */
export function seededRandom(): () => number {
  const seed = Number(process.env.TEST_SEED ?? randomInt(2 ** 31))
  onTestFailed(() => console.error(`Set TEST_SEED=${seed} to repeat the random choices of this test.`))
  return randomFrom(seed)
}
