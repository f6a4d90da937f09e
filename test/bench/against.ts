import { checkOut } from './checkout.ts'
import { residentMegabytes, totalSeconds } from './cpu.ts'
import { type Bench, createBench } from './measure.ts'
import type { BenchDatabase, BenchOptions } from './options.ts'
import { flowsPhase, managementPhases, webhooksPhase } from './phases.ts'
import { moveToCores } from './pinned.ts'
import { median } from './results.ts'
import { ownRoot, startStack } from './stack.ts'

/** Work per CPU second of one turn, by the name of the work. */
type Turn = Map<string, number>

interface Version {
  name: string
  bench: Bench
  turns: Turn[]
}

/**
 * Compares this version with that of a commit (`--against REF`). Both run at the same time on the same cores, and work in turns, so that
 * other work on the machine meets both. Prints the median ratio of the turns, with the lowest and the highest.
 */
export async function compareVersions(ref: string, options: BenchOptions): Promise<void> {
  using checkout = checkOut(ref)
  for (const database of options.databases) {
    await using running = new AsyncDisposableStack()
    const start = async (name: string, root: string): Promise<Version> => {
      if (options.pinned) moveToCores('0')
      const stack = running.adopt(await startStack(database, { root }), (each) => each.stop())
      if (options.pinned) moveToCores('1')
      return { name, bench: running.adopt(await createBench(stack), (each) => each.close()), turns: [] }
    }
    const current = await start('this version', ownRoot)
    const other = await start(ref, checkout.root)
    for (const { bench } of [current, other]) await flowsPhase(bench, options.warmUpFlows, 8, 2 * options.withinMs)
    for (let turn = 0; turn < options.turns; turn++) {
      console.error(`... ${database}, turn ${turn + 1} of ${options.turns}`)
      // The second of a turn can be slower or faster only because it is the second.
      const order = turn % 2 === 0 ? [current, other] : [other, current]
      for (const { bench, turns } of order) turns.push(await measureTurn(bench, options))
    }
    printComparison(database, current, other)
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
  return new Map(phases.map(({ name, count, cpu }) => [name, count / totalSeconds(cpu)]))
}

function printComparison(database: BenchDatabase, current: Version, other: Version): void {
  console.log(`\nOn ${database}: work per CPU second, medians of ${current.turns.length} turns`)
  const cells = (...texts: string[]) => console.log(texts.map((text, at) => text.padEnd(at === 0 ? 34 : 16)).join(''))
  cells('', current.name, other.name.slice(0, 12), 'ratio', 'lowest, highest')
  for (const name of current.turns[0]?.keys() ?? []) {
    const [ours, theirs] = [valuesOf(current, name), valuesOf(other, name)]
    const ratios = ours.map((value, turn) => value / (theirs[turn] ?? Number.NaN))
    const range = `${Math.min(...ratios).toFixed(2)}, ${Math.max(...ratios).toFixed(2)}`
    cells(name, median(ours).toFixed(0), median(theirs).toFixed(0), median(ratios).toFixed(2), range)
  }
  for (const { name, bench } of [current, other]) {
    const megabytes = Object.entries(residentMegabytes(bench.stack.pids))
    console.log(
      `memory of ${name}: ${megabytes.map(([process, size]) => `${process} ${size.toFixed(0)} MB`).join(', ')}`,
    )
  }
}

function valuesOf({ turns }: Version, name: string): number[] {
  return turns.map((turn) => turn.get(name) ?? Number.NaN)
}
