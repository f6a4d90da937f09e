import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/harness/longest-first.ts'
import { needs } from './test/harness/needs.ts'
import { SuiteReporter } from './test/suite/reporter.ts'
import { withoutOwnStatements } from './test/suite/without-own-statements.ts'

/**
 * `npm test` leaves out these folders and files. They kill and restart processes, open pages, simulate months, build and install something,
 * or are about Redis. `npm run test:slow` runs them, and `npm run test:all` runs both parts.
 */
const slow = [
  'console/!(build|offers|sign-in|users).test.ts',
  ...[
    'approval-commands',
    'approved-apply',
    ...[
      'browser',
      'bulk-upload-memory',
      'bundle',
      'ceremony-token',
      'ci-verdict',
      'claim-link-page',
      'client-operations',
      'command-line-work',
    ],
    ...[
      'configuration-commands',
      'documented-ceremony',
      'documented-commands',
      'generated-clients',
      'guides',
      'image',
      'load-command',
      'offer-page',
    ],
    ...[
      'package',
      'reference-bodies',
      'reference-loading',
      'reference-page',
      'refused-dependencies',
      'release',
      'start-settings',
    ],
    ...['time-machine', 'webhook-receivers'],
  ].map((name) => `once/${name}.test.ts`),
  ...[
    ...['*kill', '*-outage', 'backup', 'bulk-command', 'delivery-flood', 'dependencies', 'erase-again', 'erasure'],
    ...[
      'erasure-proof',
      'failover',
      'fairness',
      'ipv6',
      'key-rotation',
      'lost-connections',
      'process-health',
      'redis-cluster',
    ],
    ...[
      'redis-failover',
      'redis-sentinel',
      'rolling-restart',
      'send-claim-links',
      'service-secret',
      'settings',
      'start',
      'start-one-process',
      'tenant-files',
    ],
    ...['copy', 'events-storm', 'roles-stop', 'time-machine', 'traces', 'upgrade'],
  ].map((name) => `flows/${name}.test.ts`),
  ...[
    ...['answer-direct-requests', 'automatic-lists-deaths', 'emptied-redis', 'heartbeat', 'local-direct-requests'],
    ...[
      'keys/sealed-keys',
      'keys/token-faults',
      'keys/token-memory',
      'process-metrics',
      'serve',
      'signing-socket',
      'store-events',
    ],
  ].map((name) => `workers/${name}.test.ts`),
  'api/limits-in-redis.test.ts',
  'api/operations/service.test.ts',
  'queue/processes.test.ts',
  'shared/counters.test.ts',
]

/**
 * The subject of the tests in these folders and files does not depend on the database, so the suite on PostgreSQL leaves them out. Other
 * files send all their statements to PostgreSQL too.
 */
const databaseIndependent = [
  ...['api/http', 'bench', 'console', 'once', 'shared', 'vectors'].map((folder) => `${folder}/**`),
  ...[
    'limits',
    'limits-in-redis',
    'listen',
    'request-limits',
    'messaging/signatures',
    'operations/reference-answers',
  ].map((name) => `api/${name}.test.ts`),
  ...[
    ...['presentation-requests', 'presentations', 'sign', 'sign-sd-jwt', 'threads'],
    ...['verify-cwt', 'verify-file', 'verify-sd-jwt', 'verify-text', 'verify-web'],
  ].map((name) => `api/credentials/${name}.test.ts`),
  ...[
    ...['bulk-results', 'conformance', 'metadata', 'mobile-configurations', 'offer-page'],
    ...['key-attestations', 'proof-limits', 'proof-requests', 'published-metadata'],
  ].map((name) => `api/issuance/${name}.test.ts`),
  ...[
    ...['browser-cookies', 'bulk-command', 'client-attestation', 'encryption', 'ipv6', 'mobile', 'oauth4webapi-wallet'],
    ...['older-wallets', 'openid4vc-wallet', 'proof-errors', 'protocol-errors'],
    ...['lost-connections', 'redis-cluster', 'redis-failover', 'redis-outage', 'redis-sentinel', 'sd-jwt'],
  ].map((name) => `flows/${name}.test.ts`),
  ...['many-jobs', 'refused'].map((name) => `queue/${name}.test.ts`),
  ...[
    'answer-direct-requests',
    'heartbeat',
    'keys/{sealed-keys,token*}',
    'local-direct-requests',
    'read-integrated-list',
    'serve',
    'sign-list',
    'signing-socket',
    'yield-if-busy',
  ].map((name) => `workers/${name}.test.ts`),
]
const onPostgres = process.env.DATABASE_URL?.startsWith('postgres') ?? false
/** Set by test/suite/main.ts. All files run without it. */
const part = process.env.TEST_PART
const inTests = (patterns: string[]) => patterns.map((pattern) => `test/${pattern}`)
const notOnPostgres = [...databaseIndependent, ...withoutOwnStatements]
const leftOut = [...(onPostgres ? notOnPostgres : []), ...(part === 'fast' ? slow : [])]

function tellLeftOut(): string[] {
  const count = (patterns: string[]) =>
    globSync(inTests(patterns.map((pattern) => pattern.replace(/\*\*$/, '**/*.test.ts')))).length
  return [
    ...(part === 'fast' ? [`Left out: ${count(slow)} slow files (npm run test:slow).`] : []),
    ...(onPostgres
      ? [
          `Left out: ${count(notOnPostgres)} files that do not depend on the database, or whose SQL other files send (npm test).`,
        ]
      : []),
  ]
}

export default defineConfig({
  test: {
    include: part === 'slow' ? inTests(slow) : ['test/**/*.test.ts'],
    exclude: inTests(leftOut),
    tags: needs,
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
    reporters: [new SuiteReporter({ reportFile: process.env.TEST_REPORT, leftOut: tellLeftOut() })],
  },
})
