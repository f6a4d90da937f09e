import type { Rate } from './limits.ts'
import type { BenchDatabase } from './options.ts'
import type { Phase } from './phases.ts'
import { type MiddleTurn, median } from './results.ts'
import type { Row } from './rows.ts'

/** The target as a share of the flows per CPU second of a minimal issuer, by concurrency. */
const wantedOfMinimalIssuer: Record<BenchDatabase, Record<number, number>> = {
  sqlite: { 1: 0.7, 8: 1, 32: 1 },
  postgres: { 8: 0.6, 32: 0.6 },
}
/** The maximum cost of a flow in process floors. */
const maxProcessFloors: Partial<Record<BenchDatabase, number>> = { sqlite: 3 }
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
  const { name, concurrency, besideMinimalIssuer, besideProcessFloor } = flow
  const share = wantedOfMinimalIssuer[database][concurrency]
  const floors = maxProcessFloors[database]
  const [ofIssuer, ofFloor] = [median(besideMinimalIssuer.perCpuSecond), median(besideProcessFloor)]
  return [
    ...(share === undefined
      ? []
      : [
          verdict(
            `${name}, beside a minimal issuer`,
            `${ofIssuer.toFixed(2)} of ${share.toFixed(2)}`,
            ofIssuer >= share,
          ),
        ]),
    ...(floors === undefined
      ? []
      : [verdict(`${name}, process floors`, `${ofFloor.toFixed(2)} of at most ${floors}`, ofFloor <= floors)]),
  ]
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

/** How much slower this machine is than the reference machine with 60,000 bare Koa requests per CPU second. */
export function slower(koa: Rate): number {
  return 60_000 / koa.perCpuSecond
}
