import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { joinWithCommandLine } from '../harness/command-line.ts'
import { utf16be } from '../shared/formats/table-file/tables.ts'

const { service, line, end } = await joinWithCommandLine()
afterAll(end)

let files = 0
function importFile(content: string | Uint8Array, name = 'users.csv') {
  const file = join(line.dir, `${++files}-${name}`)
  writeFileSync(file, content)
  return line.run(['users', 'import', file])
}

async function claimsOf(claims: object): Promise<object[]> {
  const { body } = await service.operator.post('/v1/users/search', { claims })
  return body.data.map((user: { claims: object }) => user.claims)
}

const created = (users: string) => ({ code: 0, stdout: `Created ${users}, 0 failed\n`, stderr: '' })

test.each<[string, (table: string) => string | Uint8Array, string?]>([
  ['semicolons', (table) => table],
  ['semicolons and a byte order mark', (table) => `\ufeff${table}`],
  ['tabs', (table) => table.replaceAll(';', '\t')],
  ['a line that names the delimiter', (table) => `sep=;\r\n${table}`],
  ['blank rows', (table) => `\n${table}\n;\n\n;;\n`],
  ['empty columns at the right', (table) => table.replace('\n', ';;\n').replace(/\n$/, ';;\n')],
  ['spaces around cells', (table) => table.replaceAll(';', ' ; ')],
  ['UTF-16', (table) => Buffer.from(`\ufeff${table}`, 'utf16le')],
  ['UTF-16 big endian', (table) => utf16be(`\ufeff${table}`)],
  ['gzip', (table) => gzipSync(table), 'users.CSV.gz'],
])('CSV with %s is read', async (form, write, name) => {
  const table = `given_name;form\nAda;${form}\n`
  expect(await importFile(write(table), name)).toEqual(created('1 user'))
  expect(await claimsOf({ form })).toEqual([{ given_name: 'Ada', form }])
})

test.each<[string, string | Uint8Array, string]>([
  ['a workbook', Buffer.from('PK\u0003\u0004'), 'The file is a workbook'],
  ['HTML', '<table><tr><td>given_name</td></tr></table>', 'It is XML or HTML'],
  ['Windows-1252', Buffer.from('given_name\nJos\u00e9\n', 'latin1'), 'The file is not valid UTF-8'],
  [
    'wrong bytes after good rows',
    Buffer.from(`given_name\nAda\n${'Eva\n'.repeat(9)}\u00e9\n`, 'latin1'),
    'not valid UTF-8',
  ],
  ['a duplicate header', 'given_name,given_name\nAda,Bea\n', 'The header "given_name" occurs more than once'],
  ['a column without a name', 'given_name,\nAda,x\n', 'column 2 is empty'],
  ['a quote without its end', 'given_name\n"Ada', 'Row 1 has a quote without its end'],
  ['no rows', 'given_name\n', 'The file has no rows'],
  ['nothing', '', 'The file has no rows'],
])('%s is refused, and creates no user', async (_, content, message) => {
  const before = await claimsOf({})
  const { code, stdout, stderr } = await importFile(content)
  expect([code, stdout, stderr]).toEqual([1, '', expect.stringContaining(message)])
  expect(await claimsOf({})).toEqual(before)
})

test.each([
  ['given_name,city\nAda', 'Row 1: The row has 1 cells, but the header has 2.'],
  [
    'given_name,given_name.first\nAda,Bea',
    'Row 1: The column given_name.first is a member of a column that is not an object',
  ],
  ['given_name\n"Ada"x', 'Row 1: The row has a wrong quote.'],
])('the row of %j is named', async (content, message) => {
  expect(await importFile(content)).toMatchObject({ code: 1, stderr: expect.stringContaining(message) })
})

test('equal rows of two files are two users, and the same file again creates none', async () => {
  const [first, second] = ['group,given_name\ntwo,Jan\n', 'group,given_name\ntwo,Jan\ntwo,Eva\n']
  expect(await importFile(first)).toEqual(created('1 user'))
  expect(await importFile(second)).toEqual(created('2 users'))
  expect(await importFile(second)).toEqual({
    ...{ code: 0, stderr: '', stdout: 'Created 0 users, 2 already existed, 0 failed\n' },
  })
  expect((await claimsOf({ group: 'two' })).toSorted()).toHaveLength(3)
})
