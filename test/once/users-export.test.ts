import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { joinWithCommandLine } from '../harness/command-line.ts'

const { service, line, end } = await joinWithCommandLine()
afterAll(end)

test('a user is exported as JSON or as a page, to standard output or to a file that only its owner reads', async () => {
  const { body: user } = await service.operator.post('/v1/users', { claims: { given_name: 'Ada' } })
  const printed = await line.run(['users', 'export', user.id])
  expect(printed).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(printed.stdout)).toMatchObject({ userId: user.id, data: { person: [{ claims: user.claims }] } })

  const file = join(line.dir, 'person.html')
  const command = ['users', 'export', user.id, '--html', '--out', file]
  expect(await line.run(command)).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(readFileSync(file, 'utf8')).toMatch(/<dd>Ada<\/dd>[\s\S]*<\/html>\n$/)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(await line.run(command)).toMatchObject({ code: 1, stderr: expect.stringContaining('exists') })
})

test('a user that does not exist is refused, and leaves no file', async () => {
  const file = join(line.dir, 'none.json')
  const command = ['users', 'export', 'b9f2a1f0-0000-4000-8000-000000000000', '--out', file]
  expect(await line.run(command)).toMatchObject({ code: 1, stderr: expect.stringContaining('404') })
  expect(statSync(file, { throwIfNoEntry: false })).toBeUndefined()
})
