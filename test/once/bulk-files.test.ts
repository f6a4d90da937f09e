import { lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { writeErrors } from '../../api/cli/trustwright/bulk/rows.ts'

const dir = mkdtempSync(join(tmpdir(), 'trustwright-rows-'))
afterAll(() => rmSync(dir, { recursive: true }))

async function* rows() {
  yield { row: 1, state: 'invalid', code: 'missing_claim' } as const
}
const content = 'row,externalId,column,code,message\r\n1,,,missing_claim,\r\n'

test('a temporary file that others can read is replaced', async () => {
  const file = join(dir, 'open.csv')
  writeFileSync(`${file}.part`, 'old', { mode: 0o666 })
  await writeErrors(file, rows())
  expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([content, 0o600])
})

test('a symbolic link in place of the temporary file is not followed', async () => {
  const [file, target] = [join(dir, 'linked.csv'), join(dir, 'target')]
  writeFileSync(target, 'unchanged')
  symlinkSync(target, `${file}.part`)
  await writeErrors(file, rows())
  expect([readFileSync(target, 'utf8'), lstatSync(file).isFile(), readFileSync(file, 'utf8')]).toEqual([
    'unchanged',
    true,
    content,
  ])
})
