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

export interface RevocationResults {
  /** Revocations of single credentials with concurrency 32. */
  revocations: Measured<DriverResult> & { count: number }
  /** Milliseconds from the answer to a revocation until the published list contains it, during the revocations. */
  untilPublished: Percentiles
}

export interface StatusResults extends RevocationResults {
  regenerations: Regenerations
  /** Reads of lists by readers without a copy and by readers with the newest version. */
  reads: ComparedReads[]
}

/** Additional revocations for which the time until the list contains them is measured, one per second. */
const sampled = 40

/**
 * Revokes credentials of earlier flows, measures the time until the published list contains samples of them, and reads
 * that list.
 */
export async function statusPhases(bench: Bench, count: number): Promise<StatusResults> {
  const [sample] = await bench.data.revocable(1)
  if (!sample) throw new Error('nothing revocable was issued')
  const revoked = await revocationsPhase(bench, count, sampled)
  const list = listPath(sample)
  const regenerations = await regenerate(bench.stack, sample.listId)
  return {
    ...revoked,
    regenerations,
    reads: [
      ...(await compareReads(bench, list)),
      ...(await compareReads(bench, listPath({ listId: regenerations.revocationList.listId }))),
    ],
  }
}

/**
 * Revokes `count` credentials and `sampled` more, and measures the time until the published list contains the latter.
 * A list is published about once per second, so that each of them takes a second.
 */
export async function revocationsPhase(bench: Bench, count: number, sampled: number): Promise<RevocationResults> {
  const credentials = await bench.data.revocable(count + sampled)
  const samples = credentials.slice(0, sampled)
  const calls = credentials
    .slice(sampled)
    .map((each) => ({ method: 'POST' as const, path: pathOf(each), body: revoked }))
  const watched = watch(bench, samples)
  const phase = await bench.measure(() => bench.drive({ kind: 'calls', ...bench.target, calls, concurrency: 32 }))
  const took = (await watched).sort((a, b) => a - b)
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Number.NaN
  return {
    revocations: { ...phase, count: calls.length },
    untilPublished: { p50: at(0.5), p95: at(0.95), p99: at(0.99) },
  }
}

const revoked = { isRevoked: true }

function pathOf({ id }: Revocable): string {
  return `/v2/credentials/compact/${id}/revocation-status`
}

function listPath({ listId }: Pick<Revocable, 'listId'>): string {
  return `/v2/credentials/compact/revocation-lists/${listId}`
}

/** The time until each revocation is in the list, one after the other. */
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

/** The highest bit of a byte comes first. The claim -65538 contains the bits in gzip. */
async function isSeen(reader: Client, sample: Revocable): Promise<boolean> {
  const { body } = await reader.request({ method: 'GET', path: listPath(sample) })
  const { contents } = decode(new Uint8Array(await body.arrayBuffer())) as Tag
  const [, , payload] = contents as [unknown, unknown, Uint8Array]
  const claims = decode(payload) as Map<number, Uint8Array>
  const bits = gunzipSync(claims.get(-65538) ?? new Uint8Array())
  return (((bits[sample.position >> 3] ?? 0) >> (7 - (sample.position % 8))) & 1) === 1
}
