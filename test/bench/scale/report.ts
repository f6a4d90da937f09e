import { totalSeconds } from '../cpu.ts'
import { median, sum } from '../results.ts'
import { printRows, type Row } from '../rows.ts'
import type { Work } from './figures.ts'
import type { Compared, ScaleResults } from './scale.ts'

const target = 1.2
const pageMs = 10

export function printScale({ filledInSeconds, fillSeconds, figures, idle, pages }: ScaleResults): void {
  const seconds = Object.entries(fillSeconds)
  printRows([
    {
      what: `filled in ${Math.round(filledInSeconds)} s: ${seconds.map(([name, took]) => `${name} ${took.toFixed(0)} s`).join(', ')}`,
    },
    ...[...figures, idle].flatMap(figureRows),
    ...pages.map(({ name, latencies }) => ({ what: name, ...latencies })),
    ...[...figures, idle].map(verdict),
    ...pages.map(({ name, latencies }) => ({
      what: `target: p99 of ${name}: ${latencies.p99.toFixed(1)} of ${pageMs} ms ${met(latencies.p99 < pageMs)}`,
    })),
  ])
}

function figureRows({ name, empty, filled }: Compared): Row[] {
  const row = (what: string, work: Work[]) => ({
    what: `${name}, ${what}`,
    perSecond: sum(work.map(({ count }) => count)) / sum(work.map(({ seconds }) => seconds)),
    perCpuSecond: 1 / cpuEach(work),
    ...latenciesOf(work),
    note: shares(work),
  })
  return [row('empty', empty), row('filled', filled)]
}

/**
 * Compares CPU time, because latencies depend more on other load. Other load raises the CPU cost too, by up to a third
 * and for minutes. Therefore each turn is compared with its neighbour, and the median counts.
 */
function verdict({ name, empty, filled }: Compared): Row {
  const ratios = filled.map((work, turn) => cpuEach([work]) / cpuEach(empty.slice(turn, turn + 1)))
  const ratio = median(ratios)
  const turns = ratios.length > 1 ? ` (${ratios.map((each) => each.toFixed(2)).join(', ')})` : ''
  return {
    what: `target: ${name}, CPU beside an empty database: ${ratio.toFixed(2)}${turns} of ${target.toFixed(2)} ${met(ratio <= target)}`,
  }
}

const met = (isMet: boolean) => (isMet ? 'MET' : 'MISSED')

/** CPU seconds of one piece of work. */
function cpuEach(work: Work[]): number {
  return sum(work.map(({ cpu }) => totalSeconds(cpu))) / sum(work.map(({ count }) => count))
}

/** The means of the percentiles over all turns. */
function latenciesOf(work: Work[]) {
  const all = work.flatMap(({ latencies }) => latencies ?? [])
  if (all.length === 0) return {}
  const mean = (of: 'p50' | 'p95' | 'p99') => sum(all.map((each) => each[of])) / all.length
  return { p50: mean('p50'), p95: mean('p95'), p99: mean('p99') }
}

/** Microseconds of each process for one piece of work. */
function shares(work: Work[]): string {
  const count = sum(work.map((each) => each.count))
  const names = Object.keys(work[0]?.cpu ?? {})
  const micros = (name: string) => (sum(work.map(({ cpu }) => totalSeconds(cpu, [name]))) * 1e6) / count
  return names.map((name) => `${name} ${Math.round(micros(name))} µs`).join(', ')
}
