import { runVitest } from './run-vitest.ts'

/**
 * `npm test`, `npm run test:slow` and `npm run test:all`: run a part of the tests on SQLite, or all of them (vitest.config.ts has the list `slow`).
 * Arguments go to vitest. With names of files, the files of both parts run.
 */
const [part = 'all', ...words] = process.argv.slice(2)
const hasFileNames = words.some((word) => !word.startsWith('-'))

process.exitCode = await runVitest(words, { TEST_PART: hasFileNames ? 'all' : part })
