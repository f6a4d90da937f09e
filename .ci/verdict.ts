import type { SuiteReport } from '../test/suite/suite-report.ts'

/** An entry of .ci/unstable.json: a test that failed once, and whose failure could not be repeated. */
export interface UnstableTest {
  /** The file and the full name of the test. */
  test: string
  /** The day of the failure, `YYYY-MM-DD`. */
  date: string
  error: string
  /** What caused the failure. With it, the test may fail once more until the cause is mended. */
  diagnosis?: string
}

const maxFailures = 3
const maxEntries = 5
const maxAgeDays = 14
const dayMs = 24 * 3_600_000
const maxFileMs = 60_000
const maxShareOfRun = 1 / 4

export const nameOf = ({ file, name }: { file: string; name: string }): string => `${file} > ${name}`

/** Returns why the failures of a run refuse the change at once. Undefined if the failed files are repeated first. */
export function refusalAtOnce(
  { failed, errors }: SuiteReport,
  { neverForgiven, unstable }: { neverForgiven: string[]; unstable: UnstableTest[] },
): string | undefined {
  if (errors.length > 0) return `${errors.length} errors outside of tests`
  if (failed.length > maxFailures) return `${failed.length} tests failed, and at most ${maxFailures} are repeated`
  const race = failed.find(({ file }) => neverForgiven.includes(file))
  if (race) return `${race.file} tests a race. Its failures are never forgiven`
  const again = failed.find((each) => unstable.some(({ test, diagnosis }) => test === nameOf(each) && !diagnosis))
  if (again)
    return `${nameOf(again)} is in .ci/unstable.json and failed again. Find the cause, and write it into "diagnosis"`
  return undefined
}

/** Returns what is wrong with the list of unstable tests on a day. */
export function faultsOfList(unstable: UnstableTest[], today: Date): string[] {
  const old = unstable.filter(({ date }) => !(today.getTime() - Date.parse(date) <= maxAgeDays * dayMs))
  return [
    ...(unstable.length > maxEntries
      ? [`.ci/unstable.json has ${unstable.length} tests. At most ${maxEntries} are allowed. Mend the causes first.`]
      : []),
    ...old.map(
      ({ test, date }) => `${test} is unstable since ${date}. Mend the cause, and remove it from .ci/unstable.json.`,
    ),
  ]
}

/** The largest number of skipped tests by tag that is expected in a run of `.ci/run`. */
export type ExpectedSkips = Record<string, number>

/** Returns which skipped tests of a run are not expected. */
export function unexpectedSkips(skipped: SuiteReport['skipped'], expected: ExpectedSkips): string[] {
  const counts = new Map<string, number>()
  const faults: string[] = []
  for (const each of skipped) {
    const tag = each.tags.find((name) => name in expected)
    if (tag === undefined) faults.push(`${nameOf(each)} was skipped, which .ci/expected-skips.json does not expect.`)
    else counts.set(tag, (counts.get(tag) ?? 0) + 1)
  }
  for (const [tag, count] of counts) {
    const most = expected[tag] ?? 0
    if (count > most)
      faults.push(`${count} tests with the tag "${tag}" were skipped. .ci/expected-skips.json expects ${most} at most.`)
  }
  return faults
}

/**
 * Returns which files took too long: more than a minute, and more than a quarter of the run. The share does not depend on how fast the machine
 * is, or on what else it does.
 */
export function tooSlow({ files, ms }: Pick<SuiteReport, 'files' | 'ms'>, slowByDesign: Set<string>): string[] {
  const maxMs = Math.max(maxFileMs, ms * maxShareOfRun)
  return files
    .filter((file) => file.ms > maxMs && !slowByDesign.has(file.file))
    .map(
      ({ file }) =>
        `${file} took more than ${Math.round(maxMs / 1_000)} s. Make it faster, split it, or add it to .ci/lists.ts.`,
    )
}
