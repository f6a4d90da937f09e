import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/harness/longest-first.ts'

const report = process.env.TEST_REPORT

/** No test in these folders and files depends on the database, so the suite on PostgreSQL leaves them out. */
const databaseIndependent = [
  ...['api/http/**', 'console/**', 'once/**', 'shared/**', 'vectors/**'],
  ...['analytics', 'credentials/threads', 'credentials/verify-file', 'listen', 'request-limits'].map(
    (name) => `api/${name}.test.ts`,
  ),
  ...['browser-cookies', 'bulk-command', 'openid4vc-wallet', 'redis-cluster'].map((name) => `flows/${name}.test.ts`),
  ...['answer-direct-requests', 'read-integrated-list', 'serve'].map((name) => `workers/${name}.test.ts`),
]
const onPostgres = process.env.DATABASE_URL?.startsWith('postgres') ?? false

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: onPostgres ? databaseIndependent.map((pattern) => `test/${pattern}`) : [],
    globalSetup: ['test/harness/global-setup.ts'],
    setupFiles: ['test/harness/setup.ts'],
    // Tests wait for half of their time, for processes and timers.
    maxWorkers: Math.max(2, Math.ceil(availableParallelism() * 1.5)),
    sequence: { sequencer: LongestFirst },
    // Files share the modules of their worker, which keep no state (test/once/architecture.test.ts). To load them again for each
    // file would be a quarter of the work.
    isolate: false,
    // Node.js loads the modules, as it does in the service, with the compile cache of the run (test/harness/global-setup.ts). Vite would
    // transform each module for each worker. No test uses `vi.mock`, which would need the loader of vitest.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // Each resolution of a package reads its package.json again without this.
    execArgv: ['--import', './shared/quick-resolve.ts'],
    restoreMocks: true,
    // They end a test that hangs. No test takes as long, also on a slow machine. No test sets a shorter one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // `expect.poll` waits for an event of another process. Its default of 1 s is too short for a busy machine.
    expect: { poll: { timeout: 120_000 } },
    // .ci/run reads the totals from there.
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
})
