import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { decode, type Tag } from 'cbor2'
import { Client } from 'undici'
import { type ComparedReads, compareReads } from './compare-reads.ts'
import type { Revocable } from './data.ts'
import type { DriverResult, Percentiles } from './driver-jobs.ts'
import { createLane } from './lane.ts'
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
