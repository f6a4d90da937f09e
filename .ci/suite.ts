import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import type { SuiteReport } from '../test/suite/suite-report.ts'
import { type ExpectedSkips, nameOf, refusalAtOnce, tooSlow, type UnstableTest, unexpectedSkips } from './verdict.ts'

export interface Suite {
  /** The command of the whole run. It writes the `SuiteReport` into the file `TEST_REPORT`. */
  command: string[]
  /** The command of a run of one file. */
  repeat: (file: string) => string[]
}

export interface SuiteRules {
  reportFile: string
  neverForgiven: string[]
  slowByDesign: Set<string>
  unstable: UnstableTest[]
  expectedSkips: ExpectedSkips
  today: Date
  /** What becomes of the output of the runs. */
  output: 'inherit' | 'ignore'
  print(line: string): void
}

export interface SuiteResult {
  passed: number
  failed: number
  unstable: UnstableTest[]
}

const repetitions = 3
const shownFiles = 15

/**
 * Runs a suite. Up to three failed tests are repeated: each of their files runs alone, three times, with the seed of the failure. A test that
 * passes each time is unstable, which does not refuse the change. An unexpected skip and a file that took too long count as failures.
 */
export async function runSuite(suite: Suite, rules: SuiteRules): Promise<SuiteResult> {
  const { code, report } = await run(suite.command, rules)
  if (!report) {
    rules.print('The run ended without a report.')
    return { passed: 0, failed: 1, unstable: [] }
  }
  printSlowest(report, rules)
  const faults = [...unexpectedSkips(report.skipped, rules.expectedSkips), ...tooSlow(report, rules.slowByDesign)]
  for (const fault of faults) rules.print(fault)
  const failures = report.failed.length + report.errors.length
  const forgiven = failures > 0 && (await isUnstable(report, suite, rules))
  const failed = (forgiven ? 0 : Math.max(failures, code === 0 ? 0 : 1)) + faults.length
  return { passed: report.passed, failed, unstable: forgiven ? entriesOf(report, rules.today) : [] }
}

async function run(
  [program = '', ...words]: string[],
  { reportFile, output }: SuiteRules,
  env: NodeJS.ProcessEnv = {},
): Promise<{ code: number; report: SuiteReport | undefined }> {
  rmSync(reportFile, { force: true })
  const child = spawn(program, words, {
    env: { ...process.env, ...env, TEST_REPORT: reportFile },
    stdio: ['ignore', output, output],
  })
  const [code] = await once(child, 'exit')
  return { code: code ?? 1, report: existsSync(reportFile) ? JSON.parse(readFileSync(reportFile, 'utf8')) : undefined }
}

async function isUnstable(report: SuiteReport, suite: Suite, rules: SuiteRules): Promise<boolean> {
  for (const error of report.errors) rules.print(error)
  const refusal = refusalAtOnce(report, rules)
  if (refusal) {
    rules.print(`Refused: ${refusal}.`)
    return false
  }
  for (const file of new Set(report.failed.map((each) => each.file))) {
    const seed = report.seeds[file]
    for (let repetition = 1; repetition <= repetitions; repetition++) {
      rules.print(`Repeating ${file}, ${repetition} of ${repetitions}${seed ? `, with TEST_SEED=${seed}` : ''}.`)
      const { code } = await run(suite.repeat(file), rules, seed ? { TEST_SEED: seed } : {})
      if (code === 0) continue
      rules.print(`Refused: ${file} failed again.`)
      return false
    }
  }
  return true
}

function entriesOf({ failed }: SuiteReport, today: Date): UnstableTest[] {
  const date = today.toISOString().slice(0, 10)
  return failed.map((each) => ({ test: nameOf(each), date, error: each.error }))
}

function printSlowest({ files }: SuiteReport, { print }: SuiteRules): void {
  const slowest = files.toSorted((one, other) => other.ms - one.ms).slice(0, shownFiles)
  print(`The ${slowest.length} slowest files:`)
  for (const { file, ms } of slowest) print(`${(ms / 1_000).toFixed(1).padStart(7)} s  ${file}`)
}
