import { setTimeout as sleep } from 'node:timers/promises'
import {
  type CallsJob,
  type DriverJob,
  type DriverResult,
  type FlowsJob,
  type Percentiles,
  steps,
} from './driver-jobs.ts'
import { createLane, type Lane } from './lane.ts'
import { runFlow } from './wallet.ts'

/** The process that generates the load. Its CPU time does not count as that of the service. */
process.on('message', async (job: DriverJob) => {
  try {
    process.send?.({ result: job.kind === 'flows' ? await runFlows(job) : await runCalls(job) })
  } catch (error) {
    process.send?.({ error: error instanceof Error ? error.message : String(error) })
  }
})
process.on('disconnect', () => process.exit())
process.send?.('ready')

async function runFlows(job: FlowsJob): Promise<DriverResult> {
  const latencies: Record<string, number[]> = Object.fromEntries(steps.map((step) => [step, []]))
  return inLanes(job, job, latencies, async (lane) => {
    await runFlow(lane, job, (step, ms) => {
      latencies[step]?.push(ms)
    })
    if (job.pauseMs !== undefined) await sleep(job.pauseMs)
  })
}

async function runCalls(job: CallsJob): Promise<DriverResult> {
  const all: number[] = []
  const { calls, withinMs } = job
  const bounds = withinMs === undefined ? { flows: calls.length } : { flows: Number.POSITIVE_INFINITY, withinMs }
  return inLanes(job, bounds, { all }, async (lane, position) => {
    const { method = 'GET', path = '', body } = calls[position % calls.length] ?? {}
    const startedAt = performance.now()
    await lane.call(method, path, body, { token: job.token })
    all.push(performance.now() - startedAt)
  })
}

/** Runs the work `flows` times with `concurrency` lanes. Each lane has its own keep-alive connection. */
async function inLanes(
  { origin, origins = [origin], concurrency }: DriverJob,
  { flows: most, withinMs = Number.POSITIVE_INFINITY }: { flows: number; withinMs?: number },
  latencies: Record<string, number[]>,
  work: (lane: Lane, position: number) => Promise<void>,
): Promise<DriverResult> {
  let position = 0
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: concurrency }, async (_, at) => {
      await using lane = createLane(origins[at % origins.length] ?? origin, new URL(origin).host)
      while (position < most && performance.now() - startedAt < withinMs) await work(lane, position++)
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  const observed = Object.entries(latencies).filter(([, values]) => values.length > 0)
  const entries = observed.map(([name, values]) => [name, percentilesOf(values)])
  return { count: position, seconds, latencies: Object.fromEntries(entries) }
}

function percentilesOf(values: number[]): Percentiles {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}
