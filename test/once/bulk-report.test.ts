import { expect, test, vi } from 'vitest'
import { createReport, durationOf } from '../../api/cli/trustwright/bulk/report.ts'
import { lineOfRow } from '../../api/cli/trustwright/bulk/rows.ts'
import { textOfEnd } from '../../api/cli/trustwright/bulk/run-bulk.ts'

/** The report measures times with `Date.now()`. Returns a function that moves this clock, which otherwise stands. */
function controlTime() {
  let now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => now)
  return (ms: number) => {
    now += ms
  }
}

function newReport(isTTY: boolean) {
  const written: string[] = []
  // Boundary: the report uses only these members.
  const stderr = { isTTY, write: (text: string) => written.push(text) } as unknown as NodeJS.WriteStream
  return { report: createReport({ stderr }), written }
}

test('a terminal has one line with a bar, which changes at most ten times a second', () => {
  const passes = controlTime()
  const { report, written } = newReport(true)
  report.show('Issuing: 50 of 100', 0.5)
  passes(99)
  report.show('Issuing: 51 of 100', 0.51)
  passes(1)
  report.show('Issuing: 200 of 100', 2)
  report.clear()
  expect(written).toEqual([
    `\r[${'#'.repeat(15)}${'.'.repeat(15)}] Issuing: 50 of 100\u001b[K`,
    `\r[${'#'.repeat(30)}] Issuing: 200 of 100\u001b[K`,
    '\r\u001b[2K',
  ])
})

test('without a terminal there is a line every three seconds', () => {
  const passes = controlTime()
  const { report, written } = newReport(false)
  passes(2_999)
  report.show('Checking the rows: 1 read')
  passes(1)
  report.show('Checking the rows: 2 read')
  report.show('Checking the rows: 3 read')
  report.clear()
  expect(written).toEqual(['Checking the rows: 2 read\n'])
})

test('durations have the unit that people use', () => {
  expect([0.2, 99, 101, 5_940, 7_500].map(durationOf)).toEqual(['1 s', '99 s', '2 min', '99 min', '2 h 5 min'])
})

test('a name from the file does not control the terminal', () => {
  const name = '\u001b[2Ja\u009b\u202eb\u200b'
  const failure = { code: 'missing_column', message: `Its columns are ${name}.` }
  for (const state of ['failed', 'paused'] as const) {
    const text = textOfEnd({ state, failure, id: 'b' }, 'out.csv')
    expect(text).toContain('Its columns are ?[2Ja??b?. (missing_column)')
  }
  const row = { row: 1, state: 'invalid' as const, column: name, code: 'missing_claim', message: name }
  expect(lineOfRow(row)).toBe('Row 1, ?[2Ja??b?: ?[2Ja??b? (missing_claim)')
})
