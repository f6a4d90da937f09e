import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { neverForgiven, slowByDesign } from '../../.ci/lists.ts'
import { runSuite, type SuiteResult } from '../../.ci/suite.ts'
import { faultsOfList, refusalAtOnce, tooSlow, type UnstableTest, unexpectedSkips } from '../../.ci/verdict.ts'
import { vitest } from '../suite/run-vitest.ts'
import type { SuiteReport } from '../suite/suite-report.ts'

const root = mkdtempSync(join(tmpdir(), 'trustwright-ci-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const reporter = join(import.meta.dirname, '../suite/reporter.ts')
const today = new Date('2026-11-29T12:00:00Z')

/** Runs files of tests as `.ci/run` does. Returns the result and what was printed. */
async function judge(
  name: string,
  files: Record<string, string>,
  rules: { unstable?: UnstableTest[]; expectedSkips?: Record<string, number> } = {},
): Promise<SuiteResult & { printed: string; runs: string }> {
  const dir = join(root, name)
  mkdirSync(dir)
  const options = `{ reportFile: process.env.TEST_REPORT, leftOut: [] }`
  writeFileSync(
    join(dir, 'vitest.config.ts'),
    `import { SuiteReporter } from ${JSON.stringify(reporter)}
    export default { test: { pool: 'forks', reporters: [new SuiteReporter(${options})], tags: [{ name: 'chromium', skip: true }] } }`,
  )
  const imports = `import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
    import { expect, test } from 'vitest'
    process.chdir(import.meta.dirname)
    const once = () => { if (existsSync('failed')) return; writeFileSync('failed', ''); throw new Error('only once') }\n`
  for (const [file, text] of Object.entries(files)) writeFileSync(join(dir, file), imports + text)
  const words = [process.execPath, vitest, 'run', '--root', dir, '--dir', dir]
  const printed: string[] = []
  const result = await runSuite(
    { command: words, repeat: (file) => [...words, file] },
    {
      reportFile: join(dir, 'report.json'),
      neverForgiven: ['race.test.ts'],
      slowByDesign: new Set(),
      ...{ unstable: [], expectedSkips: {}, today, ...rules },
      output: 'ignore',
      print: (line) => printed.push(line),
    },
  )
  const runs = join(dir, 'runs')
  return { ...result, printed: printed.join('\n'), runs: existsSync(runs) ? readFileSync(runs, 'utf8') : '' }
}

const passing = "test('passes', () => expect(1).toBe(1))\n"

describe('a suite of .ci/run', () => {
  test('counts passed and failed tests, and refuses a failure that is repeated', async () => {
    const failing = "test('fails', () => { appendFileSync('runs', 'x'); expect(1).toBe(2) })"
    const result = await judge('failing', { 'a.test.ts': passing + failing })
    expect(result).toMatchObject({ passed: 1, failed: 1, unstable: [], runs: 'xx' })
    expect(result.printed).toContain('Refused: a.test.ts failed again.')
  })

  test('forgives a failure that three runs of its file with the same seed do not repeat', async () => {
    const seed = "console.error('Set TEST_SEED=42'); appendFileSync('runs', (process.env.TEST_SEED ?? '-') + ' ')\n"
    const file = `${passing}test('is unstable', () => { ${seed} once() })`
    const result = await judge('unstable', { 'a.test.ts': file, 'b.test.ts': passing })
    expect(result).toMatchObject({ passed: 2, failed: 0, runs: '- 42 42 42 ' })
    expect(result.unstable).toEqual([
      { test: 'a.test.ts > is unstable', date: '2026-11-29', error: expect.stringMatching(/^Error: only once\n/) },
    ])
  })

  test('never forgives a failure of a file about races', async () => {
    const result = await judge('race', { 'race.test.ts': "test('is unstable', once)" })
    expect(result).toMatchObject({ passed: 0, failed: 1, unstable: [] })
    expect(result.printed).toContain('race.test.ts tests a race')
  })

  test.each([
    ['a rejection without a handler', `${passing}test('rejects', () => void Promise.reject(new Error('lost')))`],
    ['a hook', `import { beforeAll } from 'vitest'\nbeforeAll(once)\n${passing}`],
    ['a module', `once()\n${passing}`],
    ['a worker that ends', `${passing}test('ends', () => process.kill(process.pid, 'SIGKILL'))`],
  ])('refuses an error outside of tests: %s', async (what, text) => {
    const { failed, unstable, printed } = await judge(what, { 'a.test.ts': text })
    expect([failed > 0, unstable]).toEqual([true, []])
    expect(printed).toMatch(/Refused: \d errors? outside of tests/)
  })

  test('refuses a skipped test that is not expected', async () => {
    const skipped =
      "test('needs a browser', { tags: 'chromium' }, () => undefined)\ntest.skip('is left out', () => undefined)\n"
    const files = { 'a.test.ts': passing + skipped }
    const result = await judge('skipped', files, { expectedSkips: { chromium: 1 } })
    expect(result).toMatchObject({ passed: 1, failed: 1 })
    expect(result.printed).toContain('a.test.ts > is left out was skipped')
  })

  test('counts a run that ends without a report as a failure', async () => {
    const rules = { neverForgiven: [], slowByDesign: new Set<string>(), unstable: [], expectedSkips: {}, today }
    const commands = { command: [process.execPath, '--eval', ''], repeat: () => [] }
    const result = await runSuite(commands, {
      ...rules,
      reportFile: join(root, 'none.json'),
      output: 'ignore' as const,
      print: () => undefined,
    })
    expect(result).toEqual({ passed: 0, failed: 1, unstable: [] })
  })
})

const report = (failures: number): SuiteReport => ({
  passed: 10,
  failed: Array.from({ length: failures }, (_, at) => ({ file: 'a.test.ts', name: `test ${at}`, error: 'Error' })),
  ...{ skipped: [], errors: [], files: [], seeds: {}, ms: 1 },
})
const entry = (day: string, name = 'test 0') => ({ test: `a.test.ts > ${name}`, date: day, error: 'Error' })

test('more than three failures are refused at once', () => {
  const rules = { neverForgiven: [], unstable: [] }
  expect(refusalAtOnce(report(3), rules)).toBeUndefined()
  expect(refusalAtOnce(report(4), rules)).toBe('4 tests failed, and at most 3 are repeated')
})

test('an unstable test that fails again needs a diagnosis', () => {
  const unstableTest = entry('2026-11-28')
  expect(refusalAtOnce(report(1), { neverForgiven: [], unstable: [unstableTest] })).toContain('failed again')
  const diagnosed = { ...unstableTest, diagnosis: 'The receiver closes the socket first.' }
  expect(refusalAtOnce(report(1), { neverForgiven: [], unstable: [diagnosed] })).toBeUndefined()
})

test('the list of unstable tests has five entries at most, none older than 14 days', () => {
  const five = Array.from({ length: 5 }, () => entry('2026-11-15'))
  expect(faultsOfList(five, new Date('2026-11-29'))).toEqual([])
  expect(faultsOfList(five, new Date('2026-11-30'))).toHaveLength(5)
  expect(faultsOfList([...five, entry('2026-11-28')], new Date('2026-11-29'))).toEqual([
    expect.stringContaining('has 6 tests'),
  ])
  expect(faultsOfList([entry('yesterday')], today)).toHaveLength(1)
})

test('skipped tests are capped by tag', () => {
  const skipped = ['one', 'other'].map((name) => ({ file: 'a.test.ts', name, tags: ['kubectl'] }))
  expect(unexpectedSkips(skipped, { kubectl: 2 })).toEqual([])
  expect(unexpectedSkips(skipped, { kubectl: 1 })).toEqual([expect.stringContaining('expects 1 at most')])
  expect(unexpectedSkips(skipped, {})).toHaveLength(2)
})

test('the lists of files name files that exist', () => {
  const files = [...neverForgiven, ...slowByDesign]
  expect(files.filter((file) => !existsSync(join(import.meta.dirname, '../..', file)))).toEqual([])
})

describe('a file is too slow', () => {
  const slowFiles = (fileS: number, runS: number) =>
    tooSlow({ files: [{ file: 'a.test.ts', ms: fileS * 1_000 }], ms: runS * 1_000 }, new Set())

  test.each([
    { fileS: 60, runS: 60, refused: [] },
    { fileS: 61, runS: 200, refused: ['a.test.ts took more than 60 s.'] },
    { fileS: 100, runS: 400, refused: [] },
    { fileS: 101, runS: 400, refused: ['a.test.ts took more than 100 s.'] },
  ])('$fileS s of a run of $runS s', ({ fileS, runS, refused }) => {
    expect(slowFiles(fileS, runS)).toEqual(refused.map((line) => expect.stringContaining(line)))
  })

  test('unless it is slow by design', () => {
    expect(tooSlow({ files: [{ file: 'a.test.ts', ms: 90_000 }], ms: 90_000 }, new Set(['a.test.ts']))).toEqual([])
  })
})
