import { expect, test, vi } from 'vitest'
import { readTable } from '../../../../shared/formats/table-file/read-table.ts'
import { TableError, type TableFormat } from '../../../../shared/formats/table-file/table.ts'
import { options, whole } from './tables.ts'

const maxRowBytes = 16_384

/** The files of n bytes that cost the most. */
const worst: Record<string, [TableFormat, (n: number) => string]> = {
  'rows of empty cells': ['csv', (n) => `a\n${`${','.repeat(999)}x\n`.repeat(n / 1_001)}`],
  'one row of quotes': ['csv', (n) => `a\n${'"'.repeat(Math.min(n, maxRowBytes))}`.padEnd(n, '\n')],
  'rows of quotes': ['csv', (n) => `a\n${`${'"'.repeat(1_000)}\n`.repeat(n / 1_001)}`],
  'wrong quotes': ['csv', (n) => `a\n${'"a"b\n'.repeat(n / 5)}`],
  'wrong quotes in one row': ['csv', (n) => `a\n${`${'"a"b,'.repeat(200)}\n`.repeat(n / 1_001)}`],
  'wrong quotes after a large cell': ['csv', (n) => `a\n"${'x'.repeat(8_000)}"\n${'"a"b\n'.repeat((n - 8_000) / 5)}`],
  'quoted line breaks': ['csv', (n) => `a\n${`"${'\r\n'.repeat(500)}"\n`.repeat(n / 1_003)}`],
  'blank rows': ['csv', (n) => `a\nx\n${'\n'.repeat(n)}`],
  'blank rows before the header': ['csv', (n) => `${' \n'.repeat(n / 2)}a\nx`],
  'spaces before the header': ['csv', (n) => `${' '.repeat(maxRowBytes - 1)}a\nx`.padEnd(n, '\n')],
  'a header of quotes': ['csv', (n) => '"'.repeat(n)],
  'a header of delimiters': ['csv', (n) => ','.repeat(n)],
  'short rows': ['csv', (n) => `a\n${'1\n'.repeat(n / 2)}`],
  'rows with too many cells': ['csv', (n) => `a\n${'1,2\n'.repeat(n / 4)}`],
  'one line of lists': ['jsonl', (n) => `{"a":${'['.repeat(Math.min(n, maxRowBytes - 10))}`.padEnd(n, '\n')],
  'lines of lists': ['jsonl', (n) => `{"a":${'['.repeat(400)}${']'.repeat(400)}}\n`.repeat(n / 808)],
  'a line without end': ['jsonl', (n) => `{"a":"${'x'.repeat(n)}`],
  'empty objects': ['jsonl', (n) => '{}\n'.repeat(n / 3)],
  'members that are different in each line': [
    'jsonl',
    (n) => Array.from({ length: n / 12 }, (_, at) => `{"a${at}":1}\n`).join(''),
  ],
}

test.each(Object.entries(worst))(
  '%s cost four times as much at four times the size',
  async (_what, [format, fileOf]) => {
    // If the cost grew with the square of the size, it would be sixteen times as much in each try.
    const growths: number[] = []
    do growths.push(await growthOf(format, fileOf))
    while (growths.length < 3 && Math.min(...growths) >= 10)
    expect(Math.min(...growths)).toBeLessThan(10)
  },
)

test('the errors that csv-parse creates for rows with another number of cells have no stack', async () => {
  const limits: number[] = []
  const capture = vi.spyOn(Error, 'captureStackTrace').mockImplementation(() => void limits.push(Error.stackTraceLimit))
  const before = Error.stackTraceLimit
  await costMs('csv', `a,b\n${'1\n'.repeat(10)}`)
  capture.mockRestore()
  expect(limits).toEqual(Array.from({ length: 10 }, () => 0))
  expect(Error.stackTraceLimit).toBe(before)
})

const minCostMs = 5

/** The cheapest of three runs counts for the small file, because a cold run hides growth. */
async function growthOf(format: TableFormat, fileOf: (n: number) => string): Promise<number> {
  const large = await costMs(format, fileOf(200_000))
  // The small file cannot change the result.
  if (large < 10 * minCostMs) return large / minCostMs
  const small = fileOf(50_000)
  const costs = [await costMs(format, small), await costMs(format, small), await costMs(format, small)]
  return large / Math.max(Math.min(...costs), minCostMs)
}

/** The CPU time of one run on this thread. */
async function costMs(format: TableFormat, content: string): Promise<number> {
  const before = process.threadCpuUsage()
  try {
    for await (const _ of readTable(whole(content), options(format, { maxRowBytes, maxRows: 1e9 })));
  } catch (error) {
    if (!(error instanceof TableError)) throw error
  }
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
