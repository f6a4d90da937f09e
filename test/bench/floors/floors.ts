import { type Child, startChild } from '../child.ts'
import { cpuSpent, cpuTimes, totalSeconds } from '../cpu.ts'
import type { Bench } from '../measure.ts'
import type { BenchOptions } from '../options.ts'
import { flowsJob } from '../phases.ts'
import { moveToCores } from '../pinned.ts'

/** Flows per CPU second of the floors, at one concurrency. */
export interface FloorRates {
  /** Four bare Koa requests, one verification and one signature. */
  processFloor: number
  /** A minimal issuer on @openid4vc/openid4vci and better-sqlite3. */
  minimalIssuer: number
}

export interface Floors {
  measure(concurrency: number): Promise<FloorRates>
  stop(): void
}

/** The issuer identifier in the proofs that the load generator makes for the floors. */
const issuer = 'https://bench.example'

/** Starts the floors on the core of the service. The load generator of the benchmark runs flows against them. */
export async function startFloors(bench: Bench, options: BenchOptions): Promise<Floors> {
  const { flows, warmUpFlows, withinMs, pinned } = options
  if (pinned) moveToCores('0')
  const processFloor = await startChild('./floors/process-floor.ts')
  const minimalIssuer = await startChild('./floors/minimal-issuer.ts', {
    BENCH_CONFIGURATION_ID: bench.configurationId,
  })
  if (pinned) moveToCores('1')

  async function rateOf({ greeting: port, pid }: Child, maxFlows: number, concurrency: number): Promise<number> {
    const job = flowsJob(bench, maxFlows, concurrency, withinMs)
    const before = cpuTimes({ floor: pid })
    const { count } = await bench.drive({ ...job, origin: `http://127.0.0.1:${port}`, issuer })
    return count / totalSeconds(cpuSpent(before, cpuTimes({ floor: pid })))
  }

  for (const floor of [processFloor, minimalIssuer]) await rateOf(floor, warmUpFlows, 8)
  return {
    async measure(concurrency) {
      return {
        processFloor: await rateOf(processFloor, flows, concurrency),
        minimalIssuer: await rateOf(minimalIssuer, flows, concurrency),
      }
    },
    stop() {
      processFloor.stop()
      minimalIssuer.stop()
    },
  }
}
