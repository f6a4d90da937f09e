import { checkOut } from './checkout.ts'
import { startChild } from './child.ts'
import { type CpuTimes, residentMegabytes, totalSeconds } from './cpu.ts'
import { type Bench, createBench } from './measure.ts'
import type { BenchDatabase, BenchOptions } from './options.ts'
import { flowsPhase, managementPhases, webhooksPhase } from './phases.ts'
import { moveToCores } from './pinned.ts'
import { median } from './results.ts'
import { ownRoot, startStack } from './stack.ts'

/** The cost of one turn, by the name of the work. */
type Turn = Map<string, Cost>

interface Cost {
  count: number
  cpu: CpuTimes
}

const noCost: Cost = { count: 0, cpu: {} }

interface Version {
  name: string
  bench: Bench
  turns: Turn[]
}

/**
 * Compares this version with that of a commit (`--against REF`). Both run at the same time on the same cores, and work in turns, so that
 * other work on the machine meets both. Prints the medians of the turns, and the quartiles of their ratios. Many short turns (`--turns 40
 * --flows 200`) show small differences on a machine whose speed changes.
 */
export async function compareVersions(ref: string, options: BenchOptions): Promise<void> {
  using checkout = checkOut(ref)
  await compare({ name: 'this version', root: ownRoot }, { name: ref, root: checkout.root }, options)
}

/**
 * Compares this version that records each trace with the same version without tracing. Exports end within the measured time. The receiver
 * runs on the core of the load, because that of an installation runs on another machine.
 */
export async function compareTraced(options: BenchOptions): Promise<void> {
  if (options.pinned) moveToCores('1')
  const receiver = await startChild('./sink.ts')
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${receiver.greeting}`, OTEL_BSP_SCHEDULE_DELAY: '2000' }
  const settleMs = 2_500
  const subject = { root: ownRoot, settleMs }
  await compare({ ...subject, name: 'traced', env }, { ...subject, name: 'not traced' }, options)
  receiver.stop()
}

interface Subject {
  name: string
  root: string
  env?: Record<string, string>
  settleMs?: number
}

async function compare(current: Subject, other: Subject, options: BenchOptions): Promise<void> {
  for (const database of options.databases) {
    await using running = new AsyncDisposableStack()
    const start = async ({ name, root, env, settleMs }: Subject): Promise<Version> => {
      if (options.pinned) moveToCores('0')
      const stack = running.adopt(await startStack(database, { root, env }), (each) => each.stop())
      if (options.pinned) moveToCores('1')
      return { name, bench: running.adopt(await createBench(stack, settleMs), (each) => each.close()), turns: [] }
    }
    const versions = [await start(current), await start(other)] as const
    const [ours, theirs] = versions
    for (const { bench } of versions) await flowsPhase(bench, options.warmUpFlows, 8, 2 * options.withinMs)
    for (let turn = 0; turn < options.turns; turn++) {
      console.error(`... ${database}, turn ${turn + 1} of ${options.turns}`)
      // The second of a turn can be slower or faster only because it is the second.
      const order = turn % 2 === 0 ? [ours, theirs] : [theirs, ours]
      for (const { bench, turns } of order) turns.push(await measureTurn(bench, options))
    }
    printComparison(database, ours, theirs)
  }
}

async function measureTurn(bench: Bench, options: BenchOptions): Promise<Turn> {
  const phases = []
  for (const concurrency of options.concurrencies)
    phases.push(await flowsPhase(bench, options.flows, concurrency, options.withinMs))
  if (!options.flowsOnly) {
    for (const flow of ['DPoP', 'authorization code'] as const)
      phases.push(await flowsPhase(bench, options.flows, 8, options.withinMs, { flow }))
    phases.push(...(await managementPhases(bench, options.managementCalls)))
    phases.push({ name: 'webhooks', ...(await webhooksPhase(bench, options.deliveries)) })
  }
  return new Map(phases.map(({ name, count, cpu }) => [name, { count, cpu }]))
}

function printComparison(database: BenchDatabase, current: Version, other: Version): void {
  console.log(`\nOn ${database}: medians of ${current.turns.length} turns`)
  printRow('', current.name, other.name.slice(0, 12), 'ratio', 'quartiles')
  for (const [name, { cpu }] of current.turns[0] ?? []) {
    const compare = (label: string, digits: number, measure: (each: Cost) => number) => {
      const [ours, theirs] = [current, other].map(({ turns }) => turns.map((turn) => measure(turn.get(name) ?? noCost)))
      printRatios(label, digits, ours ?? [], theirs ?? [])
    }
    compare(`${name}, per CPU second`, 0, ({ count, cpu }) => count / totalSeconds(cpu))
    for (const process of Object.keys(cpu))
      compare(`  milliseconds of ${process}`, 2, (each) => (1000 * totalSeconds(each.cpu, [process])) / each.count)
  }
  for (const { name, bench } of [current, other]) {
    const megabytes = Object.entries(residentMegabytes(bench.stack.pids))
    console.log(
      `memory of ${name}: ${megabytes.map(([process, size]) => `${process} ${size.toFixed(0)} MB`).join(', ')}`,
    )
  }
}

function printRatios(label: string, digits: number, ours: number[], theirs: number[]): void {
  const ratios = ours.map((value, turn) => value / (theirs[turn] ?? Number.NaN)).sort((x, y) => x - y)
  const quartiles = [1, 3].map((quarter) => ratios[Math.round((quarter * (ratios.length - 1)) / 4)]?.toFixed(2))
  const numbers = [median(ours).toFixed(digits), median(theirs).toFixed(digits), median(ratios).toFixed(2)]
  printRow(label, ...numbers, quartiles.join(', '))
}

function printRow(...texts: string[]): void {
  console.log(texts.map((text, at) => text.padEnd(at === 0 ? 42 : 16)).join(''))
}
