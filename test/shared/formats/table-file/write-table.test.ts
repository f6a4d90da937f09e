import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { readTable } from '../../../../shared/formats/table-file/read-table.ts'
import { csvLine, tableLines, tableStart } from '../../../../shared/formats/table-file/write-table.ts'
import { seededRandom } from '../../../harness/seeded-random.ts'
import { collect, options, whole } from './tables.ts'

const columns = ['externalId', 'link', 'note', '__proto__']
const rows = [
  { externalId: '1', link: 'https://issuer.example/a', note: 'Ä "quoted", two\nlines; \ttab' },
  { externalId: '2', note: null, other: 'left out', ['__proto__']: 'x' },
  { externalId: ' 3 ', link: '', note: { a: [1, 'é'] } },
]

test('CSV has a cell for each column', () => {
  expect(tableStart('csv', columns) + tableLines('csv', columns, rows)).toBe(
    [
      'externalId,link,note,__proto__',
      '1,https://issuer.example/a,"Ä ""quoted"", two\nlines; \ttab",',
      '2,,,x',
      '" 3 ",,"{""a"":[1,""é""]}",',
      '',
    ].join('\r\n'),
  )
})

test('JSON Lines has the members in the order of the columns', () => {
  expect(tableStart('jsonl', columns) + tableLines('jsonl', columns, rows)).toBe(
    [
      JSON.stringify(rows[0]),
      '{"externalId":"2","note":null,"__proto__":"x"}',
      '{"externalId":" 3 ","link":"","note":{"a":[1,"é"]}}',
      '',
    ].join('\n'),
  )
})

test.each([
  '=1+1',
  '=HYPERLINK("https://evil.example","Click")',
  '+cmd|calc!A1',
  '-2+3+cmd',
  '-',
  '@SUM(A1)',
  ' =1+1',
  '\u00a0=1+1',
  '\ufeff=1+1',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  '\tx',
  '＝1+1',
  '－1+1',
  '+49 170 1234567',
])('a formula becomes text: %j', (cell) => {
  const line = csvLine(['first', cell])
  expect(parse(line)).toEqual([['first', `'${cell}`]])
  expect(parse(csvLine([cell]))).toEqual([[`'${cell}`]])
  expect(parse(tableLines('csv', [cell], [{ [cell]: cell }]))).toEqual([[`'${cell}`]])
  expect(JSON.parse(tableLines('jsonl', ['a'], [{ a: cell }]))).toEqual({ a: cell })
})

test.each(['-5', '+5', '-1,5', '-1.5', '+491701234567', '2-3', 'a=b', "'", 'x@example.org', '', ' a', "'=1"])(
  'other text is not changed: %j',
  (cell) => {
    expect(parse(csvLine(['first', cell]))).toEqual([['first', cell]])
  },
)

test('random rows are read as they were written', async () => {
  const random = seededRandom()
  const parts = ['a', '"', ',', ';', '\t', '\n', '\r\n', '\r', 'é', '😀', ' ', "'", '=', '-']
  const text = () =>
    `x${Array.from({ length: random() * 6 }, () => parts[Math.floor(random() * parts.length)]).join('')}`
  const names = ['first', 'second', `third${text()}`.trim()]
  const written = Array.from({ length: 500 }, () => Object.fromEntries(names.map((name) => [name, text()])))
  for (const format of ['csv', 'jsonl'] as const) {
    const content = tableStart(format, names) + tableLines(format, names, written)
    const table = await collect(readTable(whole(content), options(format)))
    expect(table.columns).toEqual(names)
    expect(table.rows.map(({ values, error }) => error ?? { ...values })).toEqual(written)
  }
})
