import { writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { SerializedError, UserConsoleLog } from 'vitest'
import {
  DefaultReporter,
  type TestCase,
  type TestModule,
  type TestRunEndReason,
  type TestSpecification,
} from 'vitest/node'
import { needs } from '../harness/needs.ts'
import { ProgressLine } from './progress-line.ts'
import type { SuiteReport } from './suite-report.ts'

export interface SuiteReporterOptions {
  /** The file for the `SuiteReport`. Without it none is written. */
  reportFile: string | undefined
  /** What this run leaves out, and how to run it. Printed at the end. */
  leftOut: string[]
}

/**
 * Prints what the reporter of vitest prints. On a terminal it shows the files that are done and the time that is left. At the end it tells
 * what was left out and skipped, and how to run it.
 */
export class SuiteReporter extends DefaultReporter {
  readonly #options: SuiteReporterOptions
  readonly #seeds = new Map<string, string>()
  #progress: ProgressLine | undefined

  constructor(options: SuiteReporterOptions) {
    super({ summary: false })
    this.#options = options
  }

  override onTestRunStart(specifications: ReadonlyArray<TestSpecification>): void {
    const files = specifications.map(({ moduleId }) => this.#fileOf(moduleId))
    this.#progress = new ProgressLine(files, (file) => this.ctx.cache.getFileTestResults(`:${file}`)?.duration)
    super.onTestRunStart(specifications)
  }

  override onTestModuleEnd(module: TestModule): void {
    this.#progress?.clear()
    super.onTestModuleEnd(module)
    this.#progress?.fileDone(this.#fileOf(module.moduleId), module.ok())
  }

  override onUserConsoleLog(log: UserConsoleLog): void {
    this.#progress?.clear()
    super.onUserConsoleLog(log)
    const [, seed] = /TEST_SEED=(\d+)/.exec(log.content) ?? []
    const file = log.taskId && this.ctx.state.idMap.get(log.taskId)?.file.filepath
    if (seed && file) this.#seeds.set(this.#fileOf(file), seed)
  }

  override onTestRunEnd(
    modules: ReadonlyArray<TestModule>,
    unhandledErrors: ReadonlyArray<SerializedError>,
    reason: TestRunEndReason,
  ): void {
    this.#progress?.clear()
    super.onTestRunEnd(modules, unhandledErrors, reason)
    const report = this.#reportOf(modules, unhandledErrors)
    if (this.#options.reportFile) writeFileSync(this.#options.reportFile, JSON.stringify(report))
    for (const line of this.#options.leftOut) this.log(line)
    this.log(skippedLine(report.skipped))
  }

  #fileOf(moduleId: string): string {
    return relative(this.ctx.config.root, moduleId)
  }

  #reportOf(modules: ReadonlyArray<TestModule>, unhandledErrors: ReadonlyArray<SerializedError>): SuiteReport {
    const cases = modules.flatMap((module) => [...module.children.allTests()])
    const inState = (state: string) => cases.filter((each) => each.result().state === state)
    const keyOf = (each: TestCase) => ({ file: this.#fileOf(each.module.moduleId), name: each.fullName })
    return {
      passed: inState('passed').length,
      failed: inState('failed').map((each) => ({ ...keyOf(each), error: textOf(each.result().errors?.[0]) })),
      skipped: inState('skipped').map((each) => ({ ...keyOf(each), tags: each.tags })),
      errors: [
        ...unhandledErrors.map(textOf),
        ...modules.flatMap((module) =>
          errorsOutsideOfTests(module).map((text) => `${this.#fileOf(module.moduleId)}: ${text}`),
        ),
      ],
      files: modules.map((module) => ({
        file: this.#fileOf(module.moduleId),
        ms: Math.round(module.diagnostic().duration),
      })),
      seeds: Object.fromEntries(this.#seeds),
      ms: Math.round(this.end - this.start),
    }
  }
}

/** Errors of the modules of a file and of its hooks. A file without a result did not run, because its worker ended. */
function errorsOutsideOfTests(module: TestModule): string[] {
  const suites = [...module.children.allSuites()]
  const errors = [...module.errors(), ...suites.flatMap((suite) => suite.errors())].map(textOf)
  const ended = module.state() === 'passed' || module.state() === 'failed' || module.state() === 'skipped'
  return ended ? errors : [...errors, 'the file did not run to its end']
}

function textOf(error: { stack?: string | undefined; message?: string | undefined } | undefined): string {
  return error?.stack ?? error?.message ?? 'no error was reported'
}

/** For example "3 skipped: 2 without Chromium (apt-get ...), 1 without kubectl". */
function skippedLine(skipped: SuiteReport['skipped']): string {
  const reasonOf = new Map<string, string>(
    needs.filter(({ skip }) => skip).map(({ name, description }) => [name, description]),
  )
  const counts = new Map<string, number>()
  for (const { tags } of skipped) {
    const reason = reasonOf.get(tags.find((tag) => reasonOf.has(tag)) ?? '') ?? 'for another reason'
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  const parts = [...counts].sort(([, one], [, other]) => other - one).map(([reason, count]) => `${count} ${reason}`)
  return parts.length === 0 ? 'No test was skipped.' : `${skipped.length} skipped: ${parts.join(', ')}`
}
