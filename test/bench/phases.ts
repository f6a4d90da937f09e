import type { DatabaseCounts } from './database-counts.ts'
import type { Batch, CallsJob, DriverResult, FlowKind, FlowsJob } from './driver-jobs.ts'
import { createLane } from './lane.ts'
import type { Bench, Measured } from './measure.ts'
import type { WorkCounts } from './work-counts.ts'

export interface Phase extends Measured<DriverResult> {
  name: string
  flow?: FlowKind
  count: number
  concurrency: number
  /** Work of PostgreSQL per flow. */
  database?: DatabaseCounts
  /** What the processes did for each flow. */
  work?: WorkCounts
  /** Bytes that the main thread of each process allocated on the heap for each flow. */
  allocated?: Record<string, number>
}

/** The credential that flows issue. */
export interface FlowContent {
  name: string
  configurationId: string
  /** The first characters of such a credential. */
  begins: string
  portraitBytes?: number
  batch?: Batch
}

const compactBegins = 'CSC:/1/'

export const compactOf = ({ configurationId }: Bench): FlowContent => ({
  name: '',
  configurationId,
  begins: compactBegins,
})

export const revocableOf = ({ revocableId }: Bench): FlowContent => ({
  name: 'revocable ',
  configurationId: revocableId,
  begins: compactBegins,
})

interface FlowOptions {
  flow?: FlowKind
  content?: FlowContent
}

/** A job of at most `flows` flows. The time limit ends it earlier on a slow or busy machine. */
export function flowsJob(
  bench: Bench,
  flows: number,
  concurrency: number,
  withinMs?: number,
  { flow = 'pre-authorized', content = compactOf(bench) }: FlowOptions = {},
): FlowsJob {
  const { name: _, ...what } = content
  const limits = { flows, concurrency, ...(withinMs === undefined ? {} : { withinMs }) }
  return { kind: 'flows', flow, ...bench.target, ...what, ...limits }
}

/** Runs flows until V8 has optimized the code of all processes. */
export async function warmUp(bench: Bench, { warmUpMs }: { warmUpMs: number }): Promise<void> {
  await flowsPhase(bench, Number.MAX_SAFE_INTEGER, 8, warmUpMs)
}

export async function flowsPhase(
  bench: Bench,
  flows: number,
  concurrency: number,
  withinMs?: number,
  options: FlowOptions = {},
): Promise<Phase> {
  const { flow = 'pre-authorized', content = compactOf(bench) } = options
  const job = flowsJob(bench, flows, concurrency, withinMs, options)
  const measured = await bench.measure(
    () => bench.drive(job),
    ({ count }) => count,
  )
  if (measured.value.count === 0) throw new Error('not one flow was run')
  const name = flow === 'pre-authorized' ? `${content.name}flows` : `${flow} flows`
  return { name: `${name}, ${concurrency} at a time`, flow, count: measured.value.count, concurrency, ...measured }
}

/** The same work of two kinds in alternating turns. */
export interface Alternated {
  chosen: Phase[]
  /** Flows of compact credentials that are not revocable. */
  others: Phase[]
}

/**
 * Alternates flows for `content` with standard flows, so that the load of the machine affects both. The first run only
 * warms up what `content` needs.
 */
export async function alternated(
  bench: Bench,
  { flows, withinMs }: { flows: number; withinMs: number },
  content: FlowContent,
): Promise<Alternated> {
  const run = (given: { content?: FlowContent }) => flowsPhase(bench, Math.ceil(flows / 2), 8, withinMs, given)
  await run({ content })
  const phases = [await run({}), await run({ content }), await run({}), await run({ content }), await run({})]
  const of = (chosen: boolean) => phases.filter((_, position) => (position % 2 === 1) === chosen)
  return { chosen: of(true), others: of(false) }
}

/**
 * Measures only deliveries. Stops the worker, replays `count` deliveries, and lets the worker continue. The cost of the
 * replay calls does not count.
 */
export async function webhooksPhase(bench: Bench, count: number): Promise<Measured<undefined> & { count: number }> {
  const { target, webhookId, stack } = bench
  const ids = await bench.data.deliveries(count)
  const calls = ids.map((id) => ({
    method: 'POST' as const,
    path: `/v1/webhooks/${webhookId}/deliveries/${id}/replay`,
  }))
  const worker = stack.pids.worker ?? 0
  process.kill(worker, 'SIGSTOP')
  try {
    await bench.drive({ kind: 'calls', ...target, calls, concurrency: 8 })
    await new Promise((resolve) => setTimeout(resolve, 700))
  } finally {
    process.kill(worker, 'SIGCONT')
  }
  return {
    count: ids.length,
    ...(await bench.measure(
      async () => undefined,
      () => ids.length,
    )),
  }
}

export async function managementPhases(bench: Bench, count: number): Promise<Phase[]> {
  return [
    await callsPhase(bench, 'management reads', await managementReads(bench, count)),
    await callsPhase(bench, 'management writes', managementWrites(count)),
    await callsPhase(bench, 'audited writes', await auditedWrites(bench, count)),
  ]
}

/** Makes the calls with concurrency 8. */
export async function callsPhase(bench: Bench, name: string, calls: CallsJob['calls']): Promise<Phase> {
  const job = { kind: 'calls' as const, ...bench.target, calls, concurrency: 8 }
  return { name, count: calls.length, concurrency: 8, ...(await bench.measure(() => bench.drive(job))) }
}

export function managementWrites(count: number): CallsJob['calls'] {
  return Array.from({ length: count }, (_, position) => ({
    method: 'POST',
    path: '/v1/users',
    body: { claims: { given_name: 'Ada', number: String(position) } },
  }))
}

/** Changes a wallet registration. Each change appends a row to the audit. */
async function auditedWrites({ stack, target }: Bench, count: number): Promise<CallsJob['calls']> {
  await using lane = createLane(stack.origin)
  const body = { name: 'Wallet', redirectUris: ['https://wallet.example/callback'] }
  const wallet = await lane.call('POST', '/v1/openid/clients', body, { token: target.token })
  const path = `/v1/openid/clients/${wallet.id}`
  return Array.from({ length: count }, (_, position) => ({
    method: 'PUT',
    path,
    body: { ...body, name: `Wallet ${position}` },
  }))
}

/** Alternates reads of a user and of a configuration. */
export async function managementReads(
  { stack, target, configurationId }: Bench,
  count: number,
): Promise<CallsJob['calls']> {
  await using lane = createLane(stack.origin)
  const user = await lane.call('POST', '/v1/users', { claims: { given_name: 'Ada' } }, { token: target.token })
  const paths = [`/v1/users/${user.id}`, `/v2/credentials/compact/configurations/${configurationId}`]
  return Array.from({ length: count }, (_, position) => ({
    method: 'GET',
    path: paths[position % paths.length]!,
  }))
}
