import { defineConfig } from 'vitest/config'
import suite from '../../vitest.config.ts'

const { MUTANT_TESTS = '', MUTANT_EVERY_TEST } = process.env

/**
 * The settings of the test suite, for the tests of one group. Stryker's own `testFiles` would disable mutants of
 * constants.
 */
export default defineConfig({
  test: {
    ...suite.test,
    include: MUTANT_TESTS.split(','),
    exclude: [],
    setupFiles: ['test/harness/setup.ts', ...(MUTANT_EVERY_TEST ? ['test/mutants/every-test.ts'] : [])],
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
