import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../harness/postgres.ts'
import { chooseUnits } from './choose-units.ts'
import { type Group, groups } from './groups.ts'
import { forgetSurvivors, readScore, type Score } from './score.ts'

/**
 * `npm run mutants`: Stryker makes one small change (a mutant) at a time to the files of a group and runs the group's
 * tests. A mutant that fails no test shows a gap in the tests. Results are stored in `.mutants`. Unchanged code is not
 * tested again.
 */
const { values } = parseArgs({
  options: {
    group: { type: 'string', multiple: true },
    minutes: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
    concurrency: { type: 'string', default: '2' },
    force: { type: 'boolean', default: false },
  },
})
const requiredPercent = 90
const results = '.mutants'
const resultsOf = ({ name }: Group) => join(results, `${name}.json`)

const names = groups.map(({ name }) => name)
for (const name of values.group ?? []) {
  if (!names.includes(name)) throw new Error(`There is no group "${name}". The groups are ${names.join(', ')}.`)
}
const selection = groups.filter(({ name }) => values.group?.includes(name) ?? true)

mkdirSync(results, { recursive: true })
// Aborted tests leave temporary files behind. One folder holds all temporary files of the run.
const temporary = mkdtempSync(join(tmpdir(), 'trustwright-mutants-'))
chmodSync(temporary, 0o711) // PostgreSQL runs as a user other than root.
process.env.TMPDIR = temporary
process.on('exit', () => rmSync(temporary, { recursive: true, force: true }))
// The same Ctrl-C ends Stryker and the tests.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined)

const chosen = chooseUnits(
  selection.map((group) => ({ group, results: resultsOf(group) })),
  { seed: values.seed, seconds: Number(values.minutes) * 60 * Number(values.concurrency) },
)
const failed: string[] = []
for (const { group, mutate } of chosen) if (!(await testMutants(group, mutate))) failed.push(group.name)

const scores = chosen.map(({ group, untested }) => ({ group, untested, score: readScore(resultsOf(group)) }))
for (const { group, score } of scores) printSurvivors(group, score)
console.log('')
for (const { group, score, untested } of scores) {
  const { percent, killed, survived, equivalent } = score
  const counts = `${killed} killed, ${survived.length} survived, ${equivalent} equivalent`
  console.log(`${group.name}: ${percent.toFixed(1)} % (${counts}); ${untested} lines are not tested yet`)
}
if (failed.length > 0) console.log(`Stryker could not test: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 && scores.every(({ score }) => score.percent >= requiredPercent) ? 0 : 1

/** Returns false if Stryker failed, for example because a test fails without a mutant. */
async function testMutants(group: Group, mutate: string[]): Promise<boolean> {
  if (mutate.length === 0) return true
  forgetSurvivors(resultsOf(group), group.tests)
  const server = group.database && (await startPostgres())
  const settings = {
    mutate,
    ...{ testRunner: 'vitest', vitest: { configFile: 'test/mutants/vitest.config.ts', related: false } },
    ...{ plugins: ['@stryker-mutator/vitest-runner', './test/mutants/ignore-words.ts'], ignorers: ['words'] },
    ...{ coverageAnalysis: 'perTest', timeoutMS: 15_000, timeoutFactor: 2 },
    // Parallel runners would create the template database of the PostgreSQL server at the same time.
    concurrency: server ? 1 : Number(values.concurrency),
    ...{ incremental: true, incrementalFile: resultsOf(group), force: values.force },
    ...{ reporters: ['progress-append-only'], logLevel: 'warn', warnings: { slow: false } },
    ...{ tempDirName: join(temporary, 'sandbox'), ignorePatterns: ['.data', results, 'api/console/built*'] },
    // Stryker rewrites tsconfig.json with an API that TypeScript 7 does not have.
    tsconfigFile: 'none',
  }
  const file = join(temporary, 'stryker.json')
  writeFileSync(file, JSON.stringify(settings))
  const env = {
    ...process.env,
    DATABASE_URL: server?.url ?? '',
    MUTANT_TESTS: group.tests.join(),
    MUTANT_EVERY_TEST: group.everyTest ? '1' : '',
  }
  try {
    console.log(`\n${group.name}`)
    const [code] = await once(spawn('stryker', ['run', file], { env, stdio: 'inherit' }), 'exit')
    return code === 0
  } finally {
    await server?.stop()
  }
}

function printSurvivors({ name }: Group, { survived }: Score): void {
  for (const { file, line, original, mutatorName, replacement, status } of survived) {
    console.log(`\n${name} ${file}:${line} ${mutatorName} ${status}\n- ${original}\n+ ${replacement}`)
  }
}
