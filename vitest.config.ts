import { defineConfig } from 'vitest/config'

const report = process.env.TEST_REPORT

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // .ci/run reads the totals from there.
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
})
