import type { DriverResult, FlowKind } from './driver-jobs.ts'
import { createLane } from './lane.ts'
import type { Bench, Measured } from './measure.ts'

export interface Phase extends Measured<DriverResult> {
  name: string
  flow?: FlowKind
  count: number
  concurrency: number
}

/** At most so many flows, so that a slow or busy machine is done in time as well. */
export async function flowsPhase(
  bench: Bench,
  flows: number,
  concurrency: number,
  withinMs?: number,
  { flow = 'pre-authorized', revocable = false }: { flow?: FlowKind; revocable?: boolean } = {},
): Promise<Phase> {
  const { target } = bench
  const configurationId = revocable ? bench.revocableId : bench.configurationId
  const job = {
    kind: 'flows' as const,
    flow,
    ...target,
    configurationId,
    flows,
    concurrency,
    ...(withinMs === undefined ? {} : { withinMs }),
  }
  const measured = await bench.measure(
    () => bench.drive(job),
    ({ count }) => count,
  )
  if (measured.value.count === 0) throw new Error('not one flow was run')
  const name = flow === 'pre-authorized' ? `${revocable ? 'revocable ' : ''}flows` : `${flow} flows`
  return { name: `${name}, ${concurrency} at a time`, flow, count: measured.value.count, concurrency, ...measured }
}

/**
 * Deliveries alone: the worker is held while so many earlier ones are asked for once more, then let go. What it costs to
 * ask is not counted.
 */
export async function webhooksPhase(bench: Bench, count: number): Promise<Measured<undefined> & { count: number }> {
  const { target, webhookId, stack } = bench
  const ids = await deliveryIds(bench, count)
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

async function deliveryIds({ stack, target, webhookId }: Bench, most: number): Promise<string[]> {
  await using lane = createLane(stack.origin)
  const ids: string[] = []
  let cursor: string | undefined
  do {
    const after = cursor === undefined ? '' : `&cursor=${cursor}`
    const page = await lane.call('GET', `/v1/webhooks/${webhookId}/deliveries?limit=500${after}`, undefined, {
      token: target.token,
    })
    ids.push(...page.data.map(({ id }: { id: string }) => id))
    cursor = page.nextCursor
  } while (cursor !== undefined && ids.length < most)
  return ids.slice(0, most)
}

export async function managementPhases(bench: Bench, count: number): Promise<Phase[]> {
  const { stack, target, configurationId } = bench
  await using lane = createLane(stack.origin)
  const user = await lane.call('POST', '/v1/users', { claims: { given_name: 'Ada' } }, { token: target.token })
  const reads = [`/v1/users/${user.id}`, `/v2/credentials/compact/configurations/${configurationId}`].map((path) => ({
    method: 'GET' as const,
    path,
  }))
  const run = async (
    name: string,
    call: (position: number) => { method: 'GET' | 'POST'; path: string; body?: unknown },
  ) => {
    const job = {
      kind: 'calls' as const,
      ...target,
      calls: Array.from({ length: count }, (_, position) => call(position)),
      concurrency: 8,
    }
    return { name, count, concurrency: 8, ...(await bench.measure(() => bench.drive(job))) }
  }
  return [
    await run('management reads', (position) => reads[position % reads.length]!),
    await run('management writes', (position) => ({
      method: 'POST',
      path: '/v1/users',
      body: { claims: { given_name: 'Ada', number: String(position) } },
    })),
  ]
}
