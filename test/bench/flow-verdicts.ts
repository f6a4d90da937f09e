import type { BenchDatabase } from './options.ts'
import type { Phase } from './phases.ts'
import { flowsPerCpuSecond, type MiddleTurn } from './results.ts'
import type { Row } from './rows.ts'

/** The target in flows per CPU second, by concurrency. */
const wanted: Record<BenchDatabase, Record<number, number>> = {
  sqlite: { 1: 350, 8: 650, 32: 850 },
  postgres: { 1: 300, 8: 400, 32: 450 },
}
const mostMedianMs = 4
const mostSlowestMs = 60
/** The maximum of tuples read minus tuples written. */
const mostFetched = 20

/** The targets of flows with the whole service on one core and the load generator on another (`--pinned`). */
export function flowVerdicts(database: BenchDatabase, flows: MiddleTurn[]): Row[] {
  return flows.flatMap((flow) => [
    ...rateVerdicts(database, flow),
    ...latencyVerdicts(database, flow),
    ...fetched(flow),
  ])
}

function rateVerdicts(database: BenchDatabase, flow: MiddleTurn): Row[] {
  const target = wanted[database][flow.concurrency]
  if (target === undefined) return []
  const rate = flowsPerCpuSecond(flow)
  const turns = flow.turns.map((each) => each.toFixed(0)).join(', ')
  return [verdict(`${flow.name}, per CPU second`, `${rate.toFixed(0)} (${turns}) of ${target}`, rate >= target)]
}

function latencyVerdicts(database: BenchDatabase, { concurrency, value }: Phase): Row[] {
  const { p50, p99 } = value.latencies.credential ?? {}
  const row = (what: string, ms: number, most: number) =>
    verdict(`${what} of the credential call at ${concurrency}`, `${ms.toFixed(1)} of ${most} ms`, ms < most)
  if (database === 'sqlite' && concurrency === 1 && p50 !== undefined) return [row('p50', p50, mostMedianMs)]
  if (database === 'postgres' && concurrency === 8 && p99 !== undefined) return [row('p99', p99, mostSlowestMs)]
  return []
}

function fetched({ name, database }: Phase): Row[] {
  if (!database) return []
  const beyond = database.tuplesFetched - database.tuplesWritten
  return [
    verdict(
      `${name}, tuples read beyond those written`,
      `${beyond.toFixed(1)} of ${mostFetched}`,
      beyond < mostFetched,
    ),
  ]
}

export function verdict(what: string, values: string, isMet: boolean): Row {
  return { what: `target: ${what}: ${values} ${isMet ? 'MET' : 'MISSED'}` }
}
