import type { Percentiles } from '../driver-jobs.ts'
import { createLane } from '../lane.ts'
import type { Bench, Measured } from '../measure.ts'
import type { BenchOptions } from '../options.ts'
import { callsPhase, flowsPhase, managementReads, managementWrites, type Phase, webhooksPhase } from '../phases.ts'
import { revocationsPhase } from '../status.ts'
import { cursor } from './page-calls.ts'

/** The work of one turn. */
export interface Work extends Measured<unknown> {
  count: number
  /** Latencies of calls. Absent for background work. */
  latencies?: Percentiles | undefined
}

/** A measurement of the benchmark: the cost of one piece of work. */
export interface Figure {
  name: string
  run(bench: Bench): Promise<Work>
}

/** Revocations of a turn for which the time until the list contains them is measured. */
export const sampled = 8

export function figuresOf(options: BenchOptions): Figure[] {
  const flows = (flow: NonNullable<Phase['flow']>) => async (bench: Bench) => {
    const phase = await flowsPhase(bench, options.flows, 8, options.withinMs, { flow })
    return { ...phase, latencies: phase.value.latencies.credential }
  }
  const calls = async (bench: Bench, given: Parameters<typeof callsPhase>[2]) => {
    const phase = await callsPhase(bench, '', given)
    return { ...phase, latencies: phase.value.latencies.all }
  }
  return [
    { name: 'flows, 8 at a time', run: flows('pre-authorized') },
    { name: 'DPoP flows, 8 at a time', run: flows('DPoP') },
    { name: 'authorization code flows, 8 at a time', run: flows('authorization code') },
    {
      name: 'revocations, 32 at a time; seen in the list',
      run: async (bench) => {
        const { revocations, untilPublished } = await revocationsPhase(bench, options.revocations, sampled)
        return { ...revocations, latencies: untilPublished }
      },
    },
    { name: 'webhooks', run: (bench) => webhooksPhase(bench, options.deliveries) },
    {
      name: 'management reads, 8 at a time',
      run: async (bench) => calls(bench, await readsOfAny(bench, options.managementCalls)),
    },
    {
      name: 'management writes, 8 at a time',
      run: (bench) => calls(bench, managementWrites(options.managementCalls)),
    },
  ]
}

/** The reads of the benchmark with users from all ages. */
async function readsOfAny(bench: Bench, count: number): ReturnType<typeof managementReads> {
  const { target, stack } = bench
  await using lane = createLane(stack.origin)
  const call = (path: string) => lane.call('GET', path, undefined, { token: target.token })
  const { id: oldest } = (await call('/v1/users?limit=1')).data[0]
  // Ids begin with their creation time.
  const since = Number.parseInt(String(oldest).replace('-', '').slice(0, 12), 16)
  const reads = await managementReads(bench, count)
  for (let position = 0; position < reads.length; position += 2) {
    const time = since + Math.floor(Math.random() * (Date.now() - since))
    const [user] = (await call(`/v1/users?limit=1&cursor=${cursor(time)}`)).data
    if (user) reads[position] = { method: 'GET', path: `/v1/users/${user.id}` }
  }
  return reads
}
