import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { neverForgiven, slowByDesign } from './lists.ts'
import { runSuite, type Suite } from './suite.ts'
import { type ExpectedSkips, faultsOfList, type UnstableTest } from './verdict.ts'

/**
 * The steps of `.ci/run`. Tests and checks that are done in a few minutes are first. If one of them fails, the others do not run. The last line
 * is the total: "N passed, N failed".
 */
const isFull = process.env.CI_FULL === '1'
const readJson = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'))
const unstable: UnstableTest[] = readJson('unstable.json')
const expectedSkips: ExpectedSkips = readJson('expected-skips.json')
const reportFile = join(tmpdir(), 'report.json')
const startedAt = performance.now()
const total = { passed: 0, failed: 0, unstable: [] as UnstableTest[] }

const onSqlite = (file: string) => [process.execPath, 'test/suite/main.ts', 'all', file]
const onPostgres = (file: string) => [process.execPath, 'test/harness/postgres.ts', file]

printCommit()
for (const fault of faultsOfList(unstable, new Date())) fail(fault)
await suite({ command: ['npm', 'test'], repeat: onSqlite })
check('npm', 'run', '--silent', 'lint')
check('npm', 'run', '--silent', 'types')
check(process.execPath, '.ci/check-commits.mjs')
if (total.failed === 0) {
  await suite({ command: ['npm', 'run', 'test:slow'], repeat: onSqlite })
  await suite({ command: ['npm', 'run', 'test:postgres'], repeat: onPostgres })
  if (isFull) {
    const inImage = ['npm', 'run', 'test:image', '--']
    await suite({ command: inImage, repeat: (file) => [...inImage, file] })
    await suite({
      command: [...inImage, '--postgres'],
      repeat: (file) => [...inImage, '--postgres', file],
    })
  }
} else console.log('The other suites did not run.')
printTotal()
// .ci/run tells this failure from one of this program.
process.exitCode = total.failed === 0 ? 0 : 2

/** A release shows which commit was tested. */
function printCommit(): void {
  const git = (...words: string[]) => spawnSync('git', words, { encoding: 'utf8' })
  const { status, stdout } = git('rev-parse', 'HEAD')
  if (status === 0) console.log(`Commit ${stdout.trim()}${git('status', '--porcelain').stdout ? '-modified' : ''}`)
}

async function suite(commands: Suite): Promise<void> {
  announce(commands.command)
  const rules = { reportFile, neverForgiven, slowByDesign, unstable, expectedSkips, today: new Date() }
  const result = await runSuite(commands, { ...rules, output: 'inherit', print: (line) => console.log(line) })
  total.passed += result.passed
  total.failed += result.failed
  total.unstable.push(...result.unstable)
}

/** Counts as one test. */
function check(program: string, ...words: string[]): void {
  announce([program, ...words])
  if (spawnSync(program, words, { stdio: ['ignore', 'inherit', 'inherit'] }).status === 0) total.passed++
  else fail(`${[program, ...words].join(' ')} failed.`)
}

function announce(command: string[]): void {
  console.log(`== ${command.join(' ')} (${Math.round((performance.now() - startedAt) / 1_000)} s since the start)`)
}

function fail(reason: string): void {
  console.log(reason)
  total.failed++
}

function printTotal(): void {
  if (total.unstable.length > 0) {
    console.log('\nUnstable tests. Add these entries to .ci/unstable.json with the next change, and mend the causes:')
    console.log(JSON.stringify(total.unstable, undefined, 2))
    console.log(`${total.unstable.length} unstable`)
  }
  console.log(`${total.passed} passed, ${total.failed} failed`)
}
