import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readTable } from '../../../../shared/formats/table-file/read-table.ts'
import type { TableOptions } from '../../../../shared/formats/table-file/table.ts'
import { seededRandom } from '../../../harness/seeded-random.ts'
import { collect, cut, options, whole } from './tables.ts'

const read = (content: string | Uint8Array, more: Partial<TableOptions> = {}) =>
  collect(readTable(whole(content), options('jsonl', more)))

describe('reads', () => {
  const text = '{"name":"Änne","address":{"city":"Köln"}}\r\n\r\n{"age":30,"tags":["a",null]}'
  test.each<[string, string | Uint8Array]>([
    ['UTF-8', text],
    ['UTF-8 with a byte order mark and a line break at the end', `\ufeff${text}\n`],
    ['UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['gzip', gzipSync(text)],
  ])('%s', async (_, content) => {
    const { columns, rows } = await read(content)
    expect(columns).toEqual(['name', 'address', 'age', 'tags'])
    expect(rows.map(({ number, values }) => [number, { ...values }])).toEqual([
      [1, { name: 'Änne', address: { city: 'Köln' } }],
      [3, { age: 30, tags: ['a', null] }],
    ])
    expect(Object.getPrototypeOf(rows[0]?.values)).toBe(null)
  })

  test('portions of 500 rows, from the given row on', async () => {
    const content = Array.from({ length: 1201 }, (_, at) => `{"n":${at + 1}}`).join('\n')
    expect((await read(content)).portionSizes).toEqual([500, 500, 201])
    const later = await read(content, { fromRow: 702 })
    expect([later.portionSizes, later.rows[0]]).toMatchObject([[500], { number: 702, values: { n: 702 } }])
  })

  test('random lines with any borders of the chunks', async () => {
    const random = seededRandom()
    for (let round = 0; round < 10; round++) {
      const values = Array.from({ length: 5_000 }, (_, at) => ({ at, text: 'é名😀"\n'.repeat(random() * 5) }))
      const bytes = Buffer.from(values.map((each) => JSON.stringify(each)).join('\n'))
      const { rows } = await collect(readTable(cut(bytes, 1 + random() * 200_000, random), options('jsonl')))
      expect(rows.map(({ values }) => ({ ...values }))).toEqual(values)
    }
  })
})

test.each([
  ['invalid_json', '{"a":1'],
  ['invalid_json', '{"a":1} {"a":2}'],
  ['invalid_json', '{"a":1,"a":2}'],
  ['invalid_json', '{"a":{"b":"\\u0000"}}'],
  ['invalid_json', '{"a":"\\ud800"}'],
  ['invalid_json', '{"a":12345678901234567890}'],
  ['invalid_json', '{"__proto__":{"b":1}}'],
  ['invalid_json', `{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
  ['not_an_object', '[1]'],
  ['not_an_object', 'null'],
  ['not_an_object', '"secret"'],
  ['too_many_members', JSON.stringify(Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`c${at}`, at])))],
  ['long_name', `{"${'n'.repeat(201)}":1}`],
  ['row_too_large', `{"a":"${'x'.repeat(70_000)}"}`],
  ['row_too_large', `{"a":"${'é'.repeat(33_000)}"}`],
])('a line with the error %s does not stop the others', async (code, line) => {
  const { rows } = await read(`{"a":"first"}\n${line}\n{"a":"last"}\n`)
  expect(rows.map(({ number, error }) => [number, error?.code])).toEqual([
    [1, undefined],
    [2, code],
    [3, undefined],
  ])
  expect(rows[1]?.error?.message).not.toContain('secret')
})

test('a wrong member is named', async () => {
  const { rows } = await read('{"address":{"city":1,"city":2}}\n')
  expect(rows[0]?.error?.message).toBe('address.city: Appears more than once.')
})

test.each<[string, string | Uint8Array, Partial<TableOptions>]>([
  ['no_rows', '', {}],
  ['no_rows', '\n \n', {}],
  ['not_json_lines', 'name,age\nAda,30\n', {}],
  ['not_json_lines', '[\n{"name":"Ada"}\n]', {}],
  ['too_many_rows', '{}\n{}\n{}\n', { maxRows: 2 }],
  ['too_large', '{}\n{}\n{}\n', { maxBytes: 7 }],
  ['invalid_encoding', Buffer.from('{"name":"M\xfcller"}', 'latin1'), {}],
])('refuses %s: %j', async (code, content, more) => {
  await expect(read(content, more)).rejects.toMatchObject({ name: 'TableError', code })
})

test('a line without end does not fill the memory', async () => {
  async function* endless() {
    yield Buffer.from('{"a":"')
    for (;;) yield Buffer.alloc(65_536, 'x')
  }
  const before = process.memoryUsage().rss
  await expect(collect(readTable(endless(), options('jsonl', { maxBytes: 600_000_000 })))).rejects.toMatchObject({
    code: 'too_large',
  })
  expect(process.memoryUsage().rss - before).toBeLessThan(400_000_000)
})

test('a file whose objects have many different members is refused', async () => {
  const lines = Array.from({ length: 1001 }, (_, at) => `{"c${at}":1}`)
  await expect(read(lines.join('\n'))).rejects.toMatchObject({ code: 'too_many_columns', row: 1001 })
  expect((await read(lines.slice(1).join('\n'))).rows).toHaveLength(1000)
})
