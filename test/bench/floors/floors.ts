import { type Child, startChild } from '../child.ts'
import { cpuSpent, cpuTimes, totalSeconds } from '../cpu.ts'
import type { Rate } from '../limits.ts'
import type { Bench } from '../measure.ts'
import type { BenchOptions } from '../options.ts'
import { flowsJob } from '../phases.ts'
import { moveToCores } from '../pinned.ts'

/** Flows of the floors, at one concurrency. */
export interface FloorRates {
  /** Four bare Koa requests, one verification and one signature. */
  processFloor: Rate
  /** A minimal issuer on @openid4vc/openid4vci and better-sqlite3. A power failure can take its last commits. */
  minimalIssuer: Rate
  /** The same issuer, which flushes each commit to the disk before it answers. */
  flushingIssuer: Rate
}

export interface Floors {
  measure(concurrency: number): Promise<FloorRates>
  stop(): void
}

/** The issuer identifier in the proofs that the load generator makes for the floors. */
const issuer = 'https://bench.example'

/** Starts the floors on the core of the service. The load generator of the benchmark runs flows against them. */
export async function startFloors(bench: Bench, options: BenchOptions): Promise<Floors> {
  const { flows, warmUpMs, withinMs, pinned } = options
  if (pinned) moveToCores('0')
  const processFloor = await startChild('./floors/process-floor.ts')
  const startIssuer = (synchronous: 'NORMAL' | 'FULL') =>
    startChild('./floors/minimal-issuer.ts', {
      BENCH_CONFIGURATION_ID: bench.configurationId,
      BENCH_SYNCHRONOUS: synchronous,
    })
  const minimalIssuer = await startIssuer('NORMAL')
  const flushingIssuer = await startIssuer('FULL')
  const all = { processFloor, minimalIssuer, flushingIssuer }
  if (pinned) moveToCores('1')

  async function rateOf(
    { greeting: port, pid }: Child,
    maxFlows: number,
    concurrency: number,
    mostMs: number,
  ): Promise<Rate> {
    const job = flowsJob(bench, maxFlows, concurrency, mostMs)
    const before = cpuTimes({ floor: pid })
    const { count, seconds } = await bench.drive({ ...job, origin: `http://127.0.0.1:${port}`, issuer })
    const perCpuSecond = count / totalSeconds(cpuSpent(before, cpuTimes({ floor: pid })))
    return { perCpuSecond, perSecond: count / seconds }
  }

  for (const floor of Object.values(all)) await rateOf(floor, Number.MAX_SAFE_INTEGER, 8, warmUpMs)
  return {
    async measure(concurrency) {
      return {
        processFloor: await rateOf(processFloor, flows, concurrency, withinMs),
        minimalIssuer: await rateOf(minimalIssuer, flows, concurrency, withinMs),
        flushingIssuer: await rateOf(flushingIssuer, flows, concurrency, withinMs),
      }
    },
    stop() {
      for (const floor of Object.values(all)) floor.stop()
    },
  }
}
