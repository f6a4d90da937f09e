import { readFileSync } from 'node:fs'
import { type CpuTimes, cpuSpent, cpuTimes, totalSeconds } from './cpu.ts'
import type { FlowsJob } from './driver-jobs.ts'
import { verdict } from './flow-verdicts.ts'
import { type Bench, createBench } from './measure.ts'
import type { BenchOptions } from './options.ts'
import { flowsJob, warmUp } from './phases.ts'
import { moveToCores } from './pinned.ts'
import { shares } from './report.ts'
import { sum } from './results.ts'
import { printRows, type Row } from './rows.ts'
import { type Stack, startStack } from './stack.ts'

/** Concurrent flows per web process. */
const concurrency = 32
const rounds = 3
/** The target: flows of two of each process divided by flows of one of each on one core. */
const minRatio = 1.6

interface Arrangement {
  name: string
  /** The number of processes of each kind. */
  each: number
  cores: number[]
  /** The cores of load generator and receiver. */
  loadCores: number[]
}

const arrangements: [Arrangement, Arrangement] = [
  { name: 'one of each process, one core', each: 1, cores: [0], loadCores: [1] },
  { name: 'two of each process, two cores', each: 2, cores: [0, 1], loadCores: [0, 1] },
]

/** Flows, and the time that the cores of the arrangement had for them. */
interface Round {
  flows: number
  /** Core seconds that the service used or that were idle. */
  coreSeconds: number
  cpu: CpuTimes
}

/**
 * Measures the gain of a second process of each kind, on PostgreSQL, in alternating rounds. With two cores the load
 * generator shares the cores of two of each. Time of the load generator and other programs counts for neither
 * arrangement. Idle time counts as time of the service.
 */
export async function compareTwo(options: BenchOptions): Promise<void> {
  await using running = new AsyncDisposableStack()
  const benches: Bench[] = []
  for (const { each, cores, loadCores } of arrangements) {
    moveToCores(cores.join(','))
    const stack = running.adopt(await startStack('postgres', { each }), (one) => one.stop())
    moveToCores(loadCores.join(','))
    benches.push(running.adopt(await createBench(stack), (one) => one.close()))
  }
  const results = arrangements.map((arrangement, position) => ({
    arrangement,
    bench: benches[position] as Bench,
    rounds: [] as Round[],
  }))
  for (const { bench } of results) await warmUp(bench, options)
  for (let round = 0; round < rounds; round++)
    for (const result of results) result.rounds.push(await runRound(result.bench, result.arrangement, options))
  const rates = results.map((result) => rateOf(result.rounds, result.arrangement))
  const [one = Number.NaN, two = Number.NaN] = rates
  printRows([
    ...results.flatMap(({ arrangement, rounds: all }, position) => rowsOf(arrangement, all, rates[position])),
    verdict(
      'two of each process beside one',
      `${(two / one).toFixed(2)} of ${minRatio.toFixed(2)}`,
      two / one >= minRatio,
    ),
  ])
}

async function runRound(bench: Bench, { cores, each }: Arrangement, options: BenchOptions): Promise<Round> {
  const job: FlowsJob = flowsJob(bench, options.flows, each * concurrency, options.withinMs)
  const { pids, origins }: Stack = bench.stack
  const [idleBefore, before] = [idleSeconds(cores), cpuTimes(pids)]
  const { count } = await bench.drive({ ...job, origins })
  const cpu = cpuSpent(before, cpuTimes(pids))
  const coreSeconds = idleSeconds(cores) - idleBefore + totalSeconds(cpu)
  await bench.drain.wait(count)
  return { flows: count, coreSeconds, cpu }
}

/** Flows per second of an arrangement that has its cores to itself. */
function rateOf(all: Round[], { cores }: Arrangement): number {
  return (sum(all.map(({ flows }) => flows)) / sum(all.map(({ coreSeconds }) => coreSeconds))) * cores.length
}

function rowsOf({ name, each }: Arrangement, all: Round[], perSecond = Number.NaN): Row[] {
  const flows = sum(all.map((round) => round.flows))
  const cpu = all.reduce<CpuTimes>((total, round) => added(total, round.cpu), {})
  const cpuSeconds = totalSeconds(cpu)
  const used = cpuSeconds / sum(all.map((round) => round.coreSeconds))
  const note = `${each * concurrency} at a time, without what the load generator took; ${(used * 100).toFixed(0)} % of that used`
  return [{ what: name, perSecond, perCpuSecond: flows / cpuSeconds, note }, { what: `  CPU: ${shares(cpu, flows)}` }]
}

/** Adds `web 2` to `web`. */
function added(total: CpuTimes, more: CpuTimes): CpuTimes {
  const sums = { ...total }
  for (const [process, { user, system }] of Object.entries(more)) {
    const name = process.replace(/ \d+$/, '')
    const before = sums[name] ?? { user: 0, system: 0 }
    sums[name] = { user: before.user + user, system: before.system + system }
  }
  return sums
}

/**
 * Idle seconds since the start. See proc(5): the fourth and fifth number of a core's line in /proc/stat, in hundredths.
 */
function idleSeconds(cores: number[]): number {
  const lines = readFileSync('/proc/stat', 'utf8').split('\n')
  return sum(
    cores.map((core) => {
      const [, , , , idle = '0', waiting = '0'] = lines.find((line) => line.startsWith(`cpu${core} `))?.split(' ') ?? []
      return (Number(idle) + Number(waiting)) / 100
    }),
  )
}
