import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { decode, type Tag } from 'cbor2'
import { Client } from 'undici'
import { startChild } from './child.ts'
import { cpuSpent, cpuTimes, totalSeconds } from './cpu.ts'
import type { Revocable } from './data.ts'
import type { DriverResult, Percentiles } from './driver-jobs.ts'
import { createLane } from './lane.ts'
import { meanOf, type Rate } from './limits.ts'
import type { Bench, Measured } from './measure.ts'
import { type Regenerations, regenerate } from './regenerate.ts'

export interface StatusResults {
  /** One credential after the other, 32 at a time. */
  revocations: Measured<DriverResult> & { count: number }
  /** Milliseconds from the answer to a revocation until the list that is served says it, meanwhile. */
  untilPublished: Percentiles
  regenerations: Regenerations
  /** Reads of lists, by readers who have nothing and by those who have the newest version. */
  reads: ComparedReads[]
}

export interface ComparedReads {
  ours: Rate
  /** A bare Koa route that serves the same bytes. */
  bareKoa: Rate
  bytes: number
  isUnchanged: boolean
}

const sampled = 40

/** Revokes what the flows before issued, looks meanwhile for samples of it in the published list, and reads that list. */
export async function statusPhases(bench: Bench, count: number): Promise<StatusResults> {
  const found = await bench.data.revocable(count + sampled)
  const samples = found.slice(0, sampled)
  const calls = found.slice(sampled).map((each) => ({ method: 'POST' as const, path: pathOf(each), body: revoked }))
  const watched = watch(bench, samples)
  const phase = await bench.measure(() => bench.drive({ kind: 'calls', ...bench.target, calls, concurrency: 32 }))
  const took = (await watched).sort((a, b) => a - b)
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Number.NaN
  const list = samples[0] && listPath(samples[0])
  if (!list) throw new Error('nothing revocable was issued')
  const regenerations = await regenerate(bench.stack, samples[0]?.listId ?? '')
  return {
    revocations: { ...phase, count: calls.length },
    untilPublished: { p50: at(0.5), p95: at(0.95), p99: at(0.99) },
    regenerations,
    reads: [
      ...(await compareReads(bench, list)),
      ...(await compareReads(bench, listPath({ listId: regenerations.revocationList.listId }))),
    ],
  }
}

const revoked = { isRevoked: true }

function pathOf({ id }: Revocable): string {
  return `/v2/credentials/compact/${id}/revocation-status`
}

function listPath({ listId }: Pick<Revocable, 'listId'>): string {
  return `/v2/credentials/compact/revocation-lists/${listId}`
}

/** How long each takes to be seen, one after the other. */
async function watch({ stack, target }: Bench, samples: Revocable[]): Promise<number[]> {
  await using lane = createLane(stack.origin)
  const reader = new Client(stack.origin)
  const took: number[] = []
  for (const sample of samples) {
    await lane.call('POST', pathOf(sample), revoked, { token: target.token })
    const answeredAt = performance.now()
    while (!(await isSeen(reader, sample))) await sleep(20)
    took.push(performance.now() - answeredAt)
  }
  await reader.close()
  return took
}

/** Bits come with the most significant of a byte first; the claim -65538 has them in gzip. */
async function isSeen(reader: Client, sample: Revocable): Promise<boolean> {
  const { body } = await reader.request({ method: 'GET', path: listPath(sample) })
  const { contents } = decode(new Uint8Array(await body.arrayBuffer())) as Tag
  const [, , payload] = contents as [unknown, unknown, Uint8Array]
  const claims = decode(payload) as Map<number, Uint8Array>
  const bits = gunzipSync(claims.get(-65538) ?? new Uint8Array())
  return (((bits[sample.position >> 3] ?? 0) >> (7 - (sample.position % 8))) & 1) === 1
}

const readMs = 2_000
const warmUpMs = 1_500

async function compareReads({ stack }: Bench, path: string): Promise<ComparedReads[]> {
  const bare = await startChild('./bare-koa.ts')
  const koa = { origin: `http://127.0.0.1:${bare.greeting}`, pid: bare.pid, path }
  const service = { origin: stack.origin, pid: stack.pids.web ?? 0, path }
  const reader = new Client(stack.origin)
  const { body, headers } = await reader.request({ method: 'GET', path })
  const content = Buffer.from(await body.arrayBuffer())
  await reader.close()
  try {
    await bare.ask(content.toString('base64'))
    const both = []
    for (const isUnchanged of [false, true]) {
      const known = (etag: string): Record<string, string> => (isUnchanged ? { 'if-none-match': etag } : {})
      // Neither is measured cold.
      await rateOfReads(koa, known('"1"'), warmUpMs)
      await rateOfReads(service, known(String(headers.etag)), warmUpMs)
      const before = await rateOfReads(koa, known('"1"'))
      const ours = await rateOfReads(service, known(String(headers.etag)))
      const bareKoa = meanOf(before, await rateOfReads(koa, known('"1"')))
      both.push({ ours, bareKoa, bytes: content.length, isUnchanged })
    }
    return both
  } finally {
    bare.stop()
  }
}

async function rateOfReads(
  { origin, pid, path }: { origin: string; pid: number; path: string },
  headers: Record<string, string>,
  ms = readMs,
): Promise<Rate> {
  const before = cpuTimes({ server: pid })
  const startedAt = performance.now()
  let requests = 0
  const lanes = Array.from({ length: 16 }, async () => {
    const client = new Client(origin, { pipelining: 1 })
    for (; performance.now() - startedAt < ms; requests++) {
      const { statusCode, body } = await client.request({ method: 'GET', path, headers })
      await body.dump()
      if (statusCode !== ('if-none-match' in headers ? 304 : 200)) throw new Error(`GET ${path}: ${statusCode}`)
    }
    await client.close()
  })
  await Promise.all(lanes)
  const seconds = (performance.now() - startedAt) / 1000
  return {
    perSecond: requests / seconds,
    perCpuSecond: requests / totalSeconds(cpuSpent(before, cpuTimes({ server: pid }))),
  }
}
