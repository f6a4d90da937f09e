import { setTimeout as sleep } from 'node:timers/promises'
import { type CpuTimes, cpuSpent, cpuTimes } from './cpu.ts'
import type { DriverResult } from './driver-jobs.ts'
import { createLane } from './lane.ts'
import type { Bench } from './measure.ts'
import type { BenchOptions } from './options.ts'
import { flowsJob, revocableOf } from './phases.ts'

/** The rows of a file, from the end of its upload until their end. */
export interface BulkPhase {
  name: string
  count: number
  seconds: number
  cpu: CpuTimes
}

export interface RowPhases {
  validation: BulkPhase
  signed: BulkPhase
  links: BulkPhase
}

export interface BulkResults extends RowPhases {
  /** Flows, one at a time, of one person: alone, and while rows are signed. */
  calm: DriverResult[]
  beside: DriverResult[]
}

const path = '/v1/bulk-issuances'

/** Measures the validation and the issuance of a file, and what they do to the calls of a person. */
export async function bulkPhases(bench: Bench, options: BenchOptions): Promise<BulkResults> {
  await using bulks = createBulks(bench)
  const { bulkRows: count, withinMs } = options
  const rows = await rowPhases(bench, options)
  const flows = () => bench.drive(flowsJob(bench, 100_000, 1, Math.ceil(withinMs / 3)))
  const results: BulkResults = { ...rows, calm: [], beside: [] }
  for (let turn = 0; turn < 2; turn++) {
    results.calm.push(await flows())
    await bench.drain.wait(0)
    const running = await bulks.upload(2 * count, { mode: 'sign' })
    await bulks.until(running, 'running', '', count)
    results.beside.push(await flows())
    await bulks.post(running, 'cancel')
    await bench.drain.wait(0)
  }
  return results
}

/** Measures the validation of a file, the signing of its rows, and the claim links of another file. */
export async function rowPhases(bench: Bench, { bulkRows: count }: BenchOptions): Promise<RowPhases> {
  await using bulks = createBulks(bench)
  const validated = await bulks.upload(count, { mode: 'sign', validateOnly: 'true' })
  const validation = await bulks.until(validated, 'ready', `validation of ${count} rows`, count)
  await bulks.post(validated, 'start')
  const signed = await bulks.until(validated, 'done', `${count} rows signed`, count)
  const withLinks = await bulks.upload(count, { mode: 'links', validateOnly: 'true' })
  await bulks.until(withLinks, 'ready', '', count)
  await bulks.post(withLinks, 'start')
  const links = await bulks.until(withLinks, 'done', `${count} claim links`, count)
  await bench.drain.wait(0)
  return { validation, signed, links }
}

/** Uploads and watches bulk issuances of revocable credentials. */
function createBulks(bench: Bench) {
  const { stack, target } = bench
  const lane = createLane(stack.origin)
  return {
    async upload(count: number, fields: Record<string, string>): Promise<string> {
      const lines = Array.from({ length: count }, (_, at) => `${at},Ada ${at},Lovelace,1815-12-10`)
      const form = new FormData()
      const common = { configurationIds: revocableOf(bench).configurationId, externalId: 'number' }
      for (const [name, value] of Object.entries({ ...common, ...fields })) form.append(name, value)
      form.append('file', new File([`number,given_name,family_name,birth_date\n${lines.join('\n')}\n`], 'people.csv'))
      const headers = { authorization: `Bearer ${target.token}` }
      const answer = await fetch(`${stack.origin}${path}`, { method: 'POST', headers, body: form })
      if (answer.status !== 202) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`)
      // Boundary: the schema of the route.
      return ((await answer.json()) as { id: string }).id
    },
    post: (id: string, verb: string) => lane.call('POST', `${path}/${id}/${verb}`, undefined, { token: target.token }),
    async until(id: string, state: string, name: string, count: number): Promise<BulkPhase> {
      const before = cpuTimes(stack.pids)
      const from = performance.now()
      for (;;) {
        const bulk = await lane.call('GET', `${path}/${id}`, undefined, { token: target.token })
        if (bulk.state === state) break
        if (['failed', 'cancelled', 'paused'].includes(bulk.state)) throw new Error(JSON.stringify(bulk))
        await sleep(100)
      }
      const seconds = (performance.now() - from) / 1_000
      return { name, count, seconds, cpu: cpuSpent(before, cpuTimes(stack.pids)) }
    },
    [Symbol.asyncDispose]: () => lane[Symbol.asyncDispose](),
  }
}
