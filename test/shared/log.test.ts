import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** What a process writes that logs an error, which `make` is the source of. */
async function logged(make: string): Promise<Record<string, unknown>> {
  const module = new URL('../../shared/log.ts', import.meta.url)
  const script = `import { createLog } from ${JSON.stringify(module.href)}
    createLog({ process: 'test', level: 'info', pretty: false }).error({ err: ${make} }, 'failed')`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  return JSON.parse(stdout)
}

test.each([
  'sesame',
  'sesame,\nswordfish',
  'sesame,\r\nswordfish',
  '{"a":"\u2028swordfish"}',
  'sesame,\n    at swordfish',
  'sesame\nparams: swordfish',
])('values of a query that failed are not told: %j', async (values) => {
  const message = JSON.stringify(`Failed query: insert into t\nparams: ${values}`)
  const line = await logged(`new Error('it failed', { cause: new Error(${message}) })`)
  expect(JSON.stringify(line)).not.toMatch(/sesame|swordfish/)
  const told = 'Failed query: insert into t\nparams: [redacted]'
  const stack = expect.stringMatching(/^Error: Failed query: insert into t\nparams: \[redacted\]\n {4}at /)
  expect(line).toMatchObject({ err: { message: 'it failed', cause: { message: told, stack } } })
})
