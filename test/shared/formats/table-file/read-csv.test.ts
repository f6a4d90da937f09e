import { isDeepStrictEqual } from 'node:util'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readTable } from '../../../../shared/formats/table-file/read-table.ts'
import type { TableOptions } from '../../../../shared/formats/table-file/table.ts'
import { seededRandom } from '../../../harness/seeded-random.ts'
import { collect, cut, options, utf16be, whole } from './tables.ts'

const read = (content: string | Uint8Array, more: Partial<TableOptions> = {}) =>
  collect(readTable(whole(content), options('csv', more)))
const valuesOf = async (content: string | Uint8Array) => (await read(content)).rows.map(({ values }) => ({ ...values }))
const errorsOf = async (content: string) =>
  (await read(content)).rows.map(({ number, error }) => `${number} ${error?.code ?? 'ok'}`)
const refusalOf = (content: string | Uint8Array, more: Partial<TableOptions> = {}) =>
  read(content, more).then(
    () => 'read',
    ({ name, code }) => `${name} ${code}`,
  )

const text = 'name;note\r\nÄnne;"two\r\nlines; ""quoted"""\r\n名前 😀;\r\n'
const expected = [
  { name: 'Änne', note: 'two\r\nlines; "quoted"' },
  { name: '名前 😀', note: '' },
]

describe('reads', () => {
  test.each<[string, string | Uint8Array]>([
    ['UTF-8', text],
    ['UTF-8 with a byte order mark', `\ufeff${text}`],
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 without a byte order mark', Buffer.from(text, 'utf16le')],
    ['UTF-16 big endian with a byte order mark', utf16be(`\ufeff${text}`)],
    ['UTF-16 big endian without a byte order mark', utf16be(text)],
    ['gzip', gzipSync(text)],
    ['gzip of UTF-16', gzipSync(Buffer.from(`\ufeff${text}`, 'utf16le'))],
    ['gzip in two members', Buffer.concat([gzipSync(text.slice(0, 20)), gzipSync(text.slice(20))])],
    ['no line break at the end', text.trimEnd()],
    ['blank lines around the header', `\r\n  \r\n${text.replace('note\r\n', 'note\r\n\r\n')}\r\n\r\n`],
    ['spaces around the names', text.replace('name;note', ' name ;\u00a0note\t')],
  ])('%s', async (_, content) => {
    expect(await valuesOf(content)).toEqual(expected)
  })

  test.each([',', ';', '\t'])('the delimiter %j, also if the names contain others', async (delimiter) => {
    const others = [',', ';', '\t']
      .filter((each) => each !== delimiter)
      .join('')
      .repeat(5)
    const content = ['a', `"b${others}"`, 'c'].join(delimiter)
    expect(await valuesOf(`${content}\n${['1', '2,', '3'].map((cell) => `"${cell}"`).join(delimiter)}\n`)).toEqual([
      { a: '1', [`b${others}`.trim()]: '2,', c: '3' },
    ])
  })

  test.each([
    ['sep=;\r\na;b,c\r\n1;2\r\n', { a: '1', 'b,c': '2' }],
    ['\ufeff"SEP=|"\n\na|b\n1|2\n', { a: '1', b: '2' }],
    ['sep=\t\na\tb\n1\t2', { a: '1', b: '2' }],
    ['sep=,\na\n1', { a: '1' }],
  ])('the line before the header that names the delimiter: %j', async (content, row) => {
    const random = seededRandom()
    const table = await collect(readTable(cut(Buffer.from(content), 3, random), options()))
    expect(table.rows.map(({ number, values }) => [number, { ...values }])).toEqual([[1, row]])
  })

  test('columns without a name and without values as nothing', async () => {
    expect(await valuesOf('a,,b,,\n1,,2,,\n3,,4\n5, ,6,,,,\n')).toEqual([
      { a: '1', b: '2' },
      { a: '3', b: '4' },
      { a: '5', b: '6' },
    ])
  })

  test('cells without the spaces around them, unless they are in quotes', async () => {
    expect(await valuesOf('a,b,c\n 1 ,\u00a0x y\t," z "\nx," ", \n')).toEqual([
      { a: '1', b: 'x y', c: ' z ' },
      { a: 'x', b: ' ', c: '' },
    ])
  })

  test('a name with line breaks', async () => {
    expect(await valuesOf('"first\r\nname";b\r\n1;2\r\n')).toEqual([{ 'first\r\nname': '1', b: '2' }])
  })

  test('one column', async () => {
    expect(await valuesOf('name\nAda\n"Grace"\n')).toEqual([{ name: 'Ada' }, { name: 'Grace' }])
  })

  test('line breaks of all kinds in one file', async () => {
    expect(await valuesOf('a,b\r\n1,2\n3,4\r5,6')).toEqual([
      { a: '1', b: '2' },
      { a: '3', b: '4' },
      { a: '5', b: '6' },
    ])
  })

  test('names that differ in Unicode normalization only as one name', async () => {
    expect((await read('pre\u0301nom,b\n1,2')).columns).toEqual(['pr\u00e9nom', 'b'])
  })

  test('portions of 500 rows, from the given row on, with the numbers of the file', async () => {
    const content = `n\n${Array.from({ length: 1201 }, (_, at) => `v${at + 1}`).join('\n')}\n`
    const all = await read(content)
    expect(all.portionSizes).toEqual([500, 500, 201])
    expect(all.rows.every(({ number, values }) => values.n === `v${number}`)).toBe(true)
    const later = await read(content, { fromRow: 702 })
    expect(later.portionSizes).toEqual([500])
    expect(later.rows[0]).toMatchObject({ number: 702, values: { n: 'v702' } })
    expect((await read(content, { fromRow: 5_000 })).rows).toEqual([])
  })

  test('smaller portions of large rows, which take as little memory', async () => {
    const { rows, portionSizes } = await read(`a\n${`${'x'.repeat(20_000)}\n`.repeat(400)}`)
    expect(rows).toHaveLength(400)
    expect(Math.max(...portionSizes)).toBeLessThan(60)
  })

  test('no blank row, but gives it a number, as a spreadsheet does', async () => {
    const { rows } = await read('a,b\n1,2\n\n,\n " ",\t\n3,4\n')
    expect(rows.map(({ number, values }) => [number, values.a, values.b])).toEqual([
      [1, '1', '2'],
      [4, ' " "', '\t'],
      [5, '3', '4'],
    ])
  })
})

describe('a row with an error', () => {
  test('is returned with it, and the other rows are read', async () => {
    expect(await errorsOf('a,b\n1,2\n3\n4,5,6\n7,8\n')).toEqual([
      ...['1 ok', '2 too_few_cells', '3 too_many_cells', '4 ok'],
    ])
  })

  test.each(['"a"b,c', 'a"b,c', 'a,"b"c"', '"a""b"c,d', ' "a",b', 'a,b"', '"He said "hi", yes",b'])(
    'is one with a wrong quote: %s',
    async (row) => {
      expect(await errorsOf(`x,y\n1,2\n${row}\n"3",4\n`)).toEqual(['1 ok', '2 invalid_quote', '3 ok'])
    },
  )

  test.each(['"",""', '"""",""""""', '"a""b",c', ',"\n"', '"a,b","c\r\nd"'])('is no row with %j', async (row) => {
    expect((await errorsOf(`x,y\n1,2\n${row}\n3,4\n`)).filter((each) => !each.endsWith('ok'))).toEqual([])
  })

  test('is one with U+0000', async () => {
    expect(await errorsOf('a,b\n1,\0\n"\0",2\n3,4\n')).toEqual(['1 invalid_character', '2 invalid_character', '3 ok'])
  })

  test('has no value of the row in its message', async () => {
    const { rows } = await read('a,b\nsecret\nsecret,"secret"secret\nsecret,\0\n')
    expect(rows).toHaveLength(3)
    expect(JSON.stringify(rows.map(({ error }) => error))).not.toContain('secret')
  })
})

describe('refuses', () => {
  const big = `a,b\n${'1,2\n'.repeat(100)}`
  const refused: [string, string | Uint8Array, Partial<TableOptions>][] = [
    ['no_rows', '', {}],
    ['no_rows', '\ufeff', {}],
    ['no_rows', 'a,b\n', {}],
    ['no_rows', 'a,b\n\n,\n', {}],
    ['empty_header', 'a,,c\n1,2,3', {}],
    ['empty_header', 'a;b; \n1;2;3', {}],
    ['empty_header', ';;\n1;2;3', {}],
    ['doubled_header', 'a,b, a\n1,2,3', {}],
    ['doubled_header', 'pre\u0301nom,pr\u00e9nom\n1,2', {}],
    ['long_header', `a,${'n'.repeat(201)}\n1,2`, {}],
    ['too_many_columns', `${Array.from({ length: 1001 }, (_, at) => `c${at}`).join(',')}\n1`, {}],
    ['too_large', big, { maxBytes: 400 }],
    ['too_large', gzipSync(big), { maxBytes: 400 }],
    ['too_many_rows', big, { maxRows: 99 }],
    ['row_too_large', `a,b\n1,${'x'.repeat(1001)}\n`, { maxRowBytes: 1000 }],
    ['row_too_large', `a,b\n"1,${'x,\n'.repeat(1001)}\n`, { maxRowBytes: 1000 }],
    ['row_too_large', `a,b\n${','.repeat(300_000)}\n`, { maxRowBytes: 1000 }],
    ['row_too_large', `"${'a'.repeat(200_000)}`, { maxRowBytes: 1000 }],
    ['open_quote', 'a,b\n1,"2\n3,4\n', {}],
    ['open_quote', '"a,b\n1,2\n', {}],
    ['invalid_gzip', gzipSync(big).subarray(0, 30), {}],
    ['invalid_gzip', Buffer.concat([gzipSync(big).subarray(0, 12), Buffer.alloc(50, 7)]), {}],
    ['invalid_encoding', Buffer.from('name\nM\xfcller\n', 'latin1'), {}],
    ['invalid_encoding', Buffer.from('name\n\u00fc', 'utf8').subarray(0, -1), {}],
    ['invalid_encoding', Buffer.from('\ufeffname\n\ud800x\n', 'utf16le'), {}],
    ['invalid_encoding', Buffer.from('\ufeffname\nx', 'utf16le').subarray(0, -1), {}],
    ['invalid_encoding', Buffer.from('PK\x03\x04\x14\x00\x06\x00', 'latin1'), {}],
    ['not_csv', '{"name":"Ada"}\n', {}],
    ['not_csv', '[{"name":"Ada"}]\n', {}],
    ['not_csv', '<html>\n', {}],
    ['not_csv', '%PDF-1.7\x01\x02\n', {}],
  ]
  const started = refused.map(
    ([code, content, more]) => [code, content.toString().slice(0, 40), content, more] as const,
  )
  test.each(started)('%s: %j', async (code, _start, content, more) => {
    expect(await refusalOf(content, more)).toBe(`TableError ${code}`)
  })

  test('a file with wrong bytes after many rows, and says after which row', async () => {
    const content = Buffer.concat([Buffer.from(`name\n${'Ada\n'.repeat(50_000)}`), Buffer.from([0xff])])
    await expect(read(content)).rejects.toThrow(/The wrong bytes are after row [1-4]\d{4}\.$/)
  })

  test('an open quote with the number of its row', async () => {
    await expect(read('a,b\n1,2\n3,"4\n5,6\n')).rejects.toMatchObject({ code: 'open_quote', row: 2 })
    await expect(read('"a,b\n1,2')).rejects.toMatchObject({ code: 'open_quote', row: 0 })
    await expect(read(`a\n1\n2\n"${'x'.repeat(2000)}`, { maxRowBytes: 1000 })).rejects.toMatchObject({ row: 3 })
  })
})

test('a header without end is refused before the rest is read', async () => {
  let sent = 0
  async function* endless() {
    for (;;) {
      sent++
      yield Buffer.alloc(65_536, 'a,')
    }
  }
  const refused = collect(readTable(endless(), options('csv', { maxBytes: 1e8 })))
  await expect(refused).rejects.toMatchObject({ code: 'row_too_large', row: 0 })
  expect(sent).toBeLessThan(5)
})

test('hostile names of columns are ordinary names', async () => {
  const names = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', '=1+1', '<b>', 'a.b[0]']
  const { columns, rows } = await read(`${names.join(';')}\n${names.map((_, at) => at).join(';')}\n0\n`)
  expect(columns).toEqual(names)
  expect(Object.entries(rows[0]?.values ?? {})).toEqual(names.map((name, at) => [name, String(at)]))
  expect(Object.getPrototypeOf(rows[0]?.values)).toBe(null)
  expect([rows[1]?.error?.code, rows[1]?.values.constructor]).toEqual(['too_few_cells', undefined])
  expect(Object.hasOwn(Object.prototype, '0')).toBe(false)
})

test('the error of the source reaches the caller, also with gzip', async () => {
  for (const bytes of [Buffer.from('a\n1\n'), gzipSync('a\n1\n')]) {
    async function* broken() {
      yield bytes.subarray(0, 10)
      throw new Error('the upload was cut off')
    }
    await expect(collect(readTable(broken(), options()))).rejects.toThrow('the upload was cut off')
  }
})

test('the reader closes its source when the caller stops', async () => {
  for (const content of [Buffer.from(`a\n${'1\n'.repeat(200_000)}`), gzipSync(`a\n${'1\n'.repeat(200_000)}`)]) {
    let isClosed = false
    async function* source() {
      try {
        yield* whole(content)
      } finally {
        isClosed = true
      }
    }
    for await (const { rows } of readTable(source(), options('csv', { maxRows: 1e6 }))) {
      expect(rows).toHaveLength(500)
      break
    }
    await expect.poll(() => isClosed).toBe(true)
  }
})

test('random tables are read the same with any borders of the chunks', async () => {
  const random = seededRandom()
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item
  const parts = ['a', '"', ',', ';', '\t', '\n', '\r\n', '\r', 'é', '名', '😀', ' ', "'", '='] as const
  const cell = () => Array.from({ length: Math.floor(random() * 6) }, () => pick(parts)).join('')
  for (let round = 0; round < 12; round++) {
    const delimiter = pick([',', ';', '\t'])
    const lineBreak = pick(['\n', '\r\n'])
    const columns = ['first', 'second', 'third']
    const rows = Array.from({ length: pick([1, 20, 9_000]) }, () => ['x', cell(), cell()])
    const quote = (value: string) =>
      /["\r\n,;\t]|^ | $/.test(value) || random() < 0.2 ? `"${value.replaceAll('"', '""')}"` : value
    const content = [columns, ...rows].map((row) => row.map(quote).join(delimiter)).join(lineBreak)
    const encode = pick([
      (given: string) => Buffer.from(given),
      (given: string) => Buffer.from(given, 'utf16le'),
      utf16be,
    ])
    const pack = pick([gzipSync, (bytes: Uint8Array) => bytes])
    const bytes = pack(encode(`\ufeff${content}`))
    const table = await collect(readTable(cut(bytes, pick([1, 100, 40_000, 200_000]), random), options()))
    expect(table.columns).toEqual(columns)
    const rowResults = table.rows.map(({ values, error }) => error ?? Object.values(values))
    // `toEqual` is slow and only reports the difference.
    if (!isDeepStrictEqual(rowResults, rows)) expect(rowResults).toEqual(rows)
  }
})

test('blank rows count against the maximum', async () => {
  const table = (blank: number) =>
    collect(readTable(whole(`a\n1\n${'\n'.repeat(blank)}`), options('csv', { maxRows: 100 })))
  await expect(table(99)).resolves.toMatchObject({ rows: [{ number: 1 }] })
  await expect(table(100)).rejects.toMatchObject({ code: 'too_many_rows' })
})

test('blank lines before the header count against the size of the header', async () => {
  const table = (blank: number) => collect(readTable(whole(`${'\n'.repeat(blank)}a\n1\n`), options('csv')))
  await expect(table(60_000)).resolves.toMatchObject({ rows: [{ number: 1 }] })
  await expect(table(200_000)).rejects.toMatchObject({ code: 'row_too_large', row: 0 })
})

test.each([
  ['csv', 'a,b\n1,2\n', '\n'],
  ['csv', 'a,b\n1,2\n', ' , \n'],
  ['jsonl', '{"a":1}\n', '\n'],
  ['jsonl', '{"a":1}\n', `${' '.repeat(60_000)}\n`],
] as const)('blank rows of %s have portions without rows', async (format, start, blank) => {
  const content = start + blank.repeat(Math.ceil(6_000_000 / (blank.length + 20))) + start
  const table = await collect(readTable(whole(content), options(format, { maxRows: 1e6 })))
  expect(table.portionSizes.filter((size) => size === 0).length).toBeGreaterThanOrEqual(2)
  expect(table.rows).toHaveLength(format === 'csv' ? 3 : 2)
})
