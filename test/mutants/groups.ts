/** Source files that guard one thing, and the tests that exercise them. Each mutant runs only tests of its group. */
export interface Group {
  name: string
  /** Paths or globs of the mutated files. */
  files: string[]
  tests: string[]
  /** SQLite by default. Locks exist only on PostgreSQL. */
  database?: 'postgres'
  /** Each mutant runs all tests of the group, instead of those that run its line: needed where results are kept, as with prepared queries. */
  everyTest?: true
  /** How long one source line takes on one idle core. Decides how much of the group fits into a time budget. */
  secondsPerLine: number
}

export const groups: readonly Group[] = [
  {
    name: 'outbound',
    files: ['shared/outbound.ts', 'shared/outbound/*.ts'],
    tests: ['test/shared/outbound.test.ts'],
    secondsPerLine: 1,
  },
  {
    name: 'hold',
    files: ['db/hold.ts'],
    tests: ['test/db/hold.test.ts'],
    database: 'postgres',
    everyTest: true,
    secondsPerLine: 2,
  },
  {
    name: 'outbox',
    files: ['db/outbox.ts'],
    tests: ['test/db/outbox.test.ts'],
    everyTest: true,
    secondsPerLine: 4,
  },
  {
    name: 'key-wrapping',
    files: ['workers/signing/keyring.ts', 'shared/secrets.ts', 'workers/signing/rewrap-keys.ts'],
    tests: ['test/workers/keyring.test.ts', 'test/shared/secrets.test.ts', 'test/workers/rewrap-keys.test.ts'],
    secondsPerLine: 1,
  },
]
