import { afterAll, expect, onTestFinished, test } from 'vitest'
import { createCommands } from '../harness/commands.ts'
import { openNewDatabase } from '../harness/database.ts'

const commands = createCommands({})
afterAll(() => commands.end())

test('a process sends one query at a time over the connection of its signals', { tags: 'postgres' }, async () => {
  const { url, drop } = await openNewDatabase()
  onTestFinished(drop)
  // Node.js prints a warning once in a process, so the test has its own.
  const program = 'test/db/signals-process.ts'
  const result = await commands.run(`--throw-deprecation ${program} ${url}`, {})
  expect(result).toMatchObject({ code: 0, stdout: 'woken\n', stderr: '' })
})
