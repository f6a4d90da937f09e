import { beforeEach } from 'vitest'

/**
 * Keeps Stryker from noting which test runs which line. Code whose result is kept, such as a prepared query, runs only in the
 * first test that needs it. Without the note every test of the group is run for its mutants.
 */
beforeEach(() => {
  // Boundary: Stryker's runner keeps its state there.
  const { __stryker__: stryker } = globalThis as { __stryker__?: { currentTestId: string | undefined } }
  if (stryker) stryker.currentTestId = undefined
})
