import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** What a process writes that logs an error, which `make` is the source of. */
async function logged(make: string): Promise<Record<string, unknown>> {
  return JSON.parse(await written(false, make))
}

async function written(pretty: boolean, make: string): Promise<string> {
  return writtenBy(pretty, `log.error({ err: ${make} }, 'failed')`)
}

/** By calls of a process's `log`. */
async function writtenBy(pretty: boolean, calls: string): Promise<string> {
  const module = new URL('../../shared/log/log.ts', import.meta.url)
  const script = `import { createLog } from ${JSON.stringify(module.href)}
    const log = createLog({ process: 'test', level: 'info', pretty: ${pretty} })
    ${calls}
    process.exit(0)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  return stdout
}

test('readable logs have one line per event, including the last one of a process, without secrets', async () => {
  const text = await written(true, `new Error('Failed query: insert into t\\nparams: sesame')`)
  expect(text).toMatch(/ERROR.*: test: failed\n/)
  expect(text).not.toContain('sesame')
})

test.each([false, true])(
  'a field with the name of a secret is not logged, wherever it is: pretty %j',
  async (pretty) => {
    const text = await writtenBy(
      pretty,
      `log.info({ code: 'sesame', client_secret: { a: 'sesame' }, status: 200, token: { 'pre-authorized_code': 'sesame', type: 'Bearer' } }, 'said')
    log.error({ err: Object.assign(new Error('failed'), { secret: 'sesame' }), password: 'sesame' }, 'said')
    log.warn({ reason: Object.assign(new Error('failed'), { claims: 'sesame' }), at: { toJSON: () => 'noon', code: 'sesame' } }, 'said')`,
    )
    expect(text).not.toContain('sesame')
    expect(text.match(/\[redacted\]/g)).toHaveLength(5)
    for (const expected of ['200', 'Bearer', 'failed', 'noon']) expect(text).toContain(expected)
  },
)

test('lines are written in order, while the process runs and when it ends', async () => {
  const module = new URL('../../shared/log/log.ts', import.meta.url)
  const script = `import { createLog } from ${JSON.stringify(module.href)}
    import { once } from 'node:events'
    const log = createLog({ process: 'test', level: 'info', pretty: false })
    for (let line = 0; line < 500; line++) log.info({ line }, 'said')
    await once(process.stdin, 'data')
    log.info({ line: 500 }, 'the last')
    process.exit(0)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  let text = ''
  for await (const chunk of child.stdout) {
    text += chunk
    if (text.endsWith('\n') && text.includes('"line":499')) child.stdin.write('go on')
  }
  const lines = text.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).line)).toEqual(Array.from({ length: 501 }, (_, line) => line))
})

test.each([
  'sesame',
  'sesame,\nswordfish',
  'sesame,\r\nswordfish',
  '{"a":"\u2028swordfish"}',
  'sesame,\n    at swordfish',
  'sesame\nparams: swordfish',
])('values of a failed query are not logged: %j', async (values) => {
  const message = JSON.stringify(`Failed query: insert into t\nparams: ${values}`)
  const line = await logged(`new Error('it failed', { cause: new Error(${message}) })`)
  expect(JSON.stringify(line)).not.toMatch(/sesame|swordfish/)
  const expected = 'Failed query: insert into t\nparams: [redacted]'
  const stack = expect.stringMatching(/^Error: Failed query: insert into t\nparams: \[redacted\]\n {4}at /)
  expect(line).toMatchObject({ err: { message: 'it failed', cause: { message: expected, stack } } })
})
