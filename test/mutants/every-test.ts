import { beforeEach } from 'vitest'

/**
 * Keeps Stryker from recording which test covers which line. Code with a cached result, such as a prepared query, runs
 * only in the first test that needs it. Without the record Stryker runs every test of the group for each mutant.
 */
beforeEach(() => {
  // Boundary: Stryker's runner keeps its state in this global variable.
  const { __stryker__: stryker } = globalThis as { __stryker__?: { currentTestId: string | undefined } }
  if (stryker) stryker.currentTestId = undefined
})
