import { execFile, spawnSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { renewals } from './renewals.ts'
import type { RunResult } from './run.ts'

/**
 * `npm run time-machine -- --seeds 100 [--from N] [--days N] [--without KIND] [--keys pkcs11]` simulates the service over three years, once for each seed.
 * `--keys pkcs11` keeps all keys in a token of SoftHSM2. `--without` switches off the renewal of a kind. `--prove` does so for each kind, and fails if a run does not notice it. `--processes`
 * moves the clock of real processes over 90 days instead, on SQLite and then on PostgreSQL.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1' },
    from: { type: 'string', default: '1' },
    days: { type: 'string' },
    without: { type: 'string' },
    keys: { type: 'string' },
    prove: { type: 'boolean', default: false },
    processes: { type: 'boolean', default: false },
  },
})
// Signers without a renewal end after 1,187 days.
const days = values.days ?? (values.processes ? '90' : values.prove ? '1200' : String(3 * 365))
if (values.without !== undefined && !(values.without in renewals)) {
  console.error(`--without must be one of: ${Object.keys(renewals).join(', ')}.`)
  process.exit(1)
}

interface Run {
  seed: number
  without?: string | undefined
}

const from = Number(values.from)
if (values.processes) {
  const seeds = Array.from({ length: Number(values.seeds) }, (_, index) => from + index)
  process.exit(seeds.every(runProcesses) ? 0 : 1)
}
const runs: Run[] = values.prove
  ? Object.keys(renewals).map((without) => ({ seed: from, without }))
  : Array.from({ length: Number(values.seeds) }, (_, index) => ({ seed: from + index, without: values.without }))
const waiting = [...runs]
let failures = 0
await Promise.all(Array.from({ length: availableParallelism() }, work))
console.log(`${runs.length - failures} of ${runs.length} passed`)
process.exitCode = failures > 0 ? 1 : 0

/** Simulates one run after the other. */
async function work(): Promise<void> {
  for (let run = waiting.shift(); run; run = waiting.shift()) {
    const startedAt = performance.now()
    const result = await simulate(run)
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    if (!report(run, result, seconds)) failures++
  }
}

async function simulate({ seed, without }: Run): Promise<RunResult> {
  const args = [join(import.meta.dirname, 'simulate.ts'), '--seed', String(seed), '--days', days]
  if (without !== undefined) args.push('--without', without)
  if (values.keys !== undefined) args.push('--keys', values.keys)
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 100_000_000 })
  return JSON.parse(stdout)
}

/** Prints the result. Returns whether it is the expected one. */
function report({ seed, without }: Run, result: RunResult, seconds: number): boolean {
  const name = `seed ${seed}${without === undefined ? '' : ` without ${without}`} (${seconds} s)`
  const hasFailed = 'failure' in result
  if (values.prove) {
    const words = hasFailed ? `noticed after ${result.days} days: ${result.failure.split('\n')[0]}` : 'NOT NOTICED'
    console.log(`${name}: ${words}`)
    return hasFailed
  }
  if (hasFailed) console.error([...result.history, result.failure, `${name}: failed`].join('\n'))
  else console.log(`${name}: ${result.documents} documents and ${result.credentials} credentials verified`)
  return !hasFailed
}

/** Runs the test with real processes on both databases. Returns whether both pass. */
function runProcesses(seed: number): boolean {
  const folder = join(import.meta.dirname, '..')
  const file = join(folder, 'flows/time-machine.test.ts')
  const commands: [program: string, ...words: string[]][] = [
    ['npx', 'vitest', 'run', file],
    [process.execPath, join(folder, 'harness/postgres.ts'), file],
  ]
  const env = { ...process.env, TIME_MACHINE_DAYS: days, TIME_MACHINE_SEED: String(seed) }
  return commands.every(([program, ...words]) => spawnSync(program, words, { env, stdio: 'inherit' }).status === 0)
}
