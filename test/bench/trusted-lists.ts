import { setTimeout as sleep } from 'node:timers/promises'
import { startChild } from './child.ts'
import { type ComparedReads, compareReads } from './compare-reads.ts'
import type { DriverResult } from './driver-jobs.ts'
import { createLane, type Lane } from './lane.ts'
import type { Bench } from './measure.ts'
import { managementReads } from './phases.ts'

/** The issuer whose certificates the list contains. */
export interface Issuer {
  participantId: string
  /** The number of its certificates. */
  count: number
}

/** Milliseconds, the median of alternating runs. */
export interface Publication {
  count: number
  /** From the rows to the stored signed bytes. */
  publishMs: number
  /** Reads the rows and builds their payload without a signature. */
  assembleMs: number
  /** Reads and joins the stored entries. */
  joinMs: number
}

export interface TrustedListResults {
  publications: Publication[]
  reads: ComparedReads[]
  /**
   * API calls of one client in alternating turns: without publications, with one list in ten seconds, and with one list
   * after the other.
   */
  calm: DriverResult[]
  publishing: DriverResult[]
  pressed: DriverResult[]
}

const docType = 'org.iso.18013.5.1.mDL'
/** The size of published lists, and the maximum for one issuer. */
const counts = [40, 10_000]
/** An odd number, because the median counts. */
const turns = 5
/** The length of a turn. The service looks for due lists at the same interval. */
const turnMs = 10_000

export async function trustedListPhases(bench: Bench): Promise<TrustedListResults> {
  await using lane = createLane(bench.stack.origin)
  const { path, participantId } = await newPublisher(bench, lane)
  const child = await startChild('./publish-trusted-list.ts', { DATABASE_URL: bench.stack.databaseUrl })
  const results: TrustedListResults = { publications: [], reads: [], calm: [], publishing: [], pressed: [] }
  try {
    for (const certificates of counts) {
      // Boundary: the answer of publish-trusted-list.ts.
      results.publications.push((await child.request({ participantId, count: certificates })) as Publication)
      await lane.call('POST', `${path}/vicals`, undefined, bench.target)
      results.reads.push(...(await compareReads(bench, `${path}/vicals/public/latest`)))
    }
  } finally {
    child.stop()
  }
  const calls = await managementReads(bench, 2)
  // One client. More clients on two cores would leave no core for the publisher.
  const read = () => bench.drive({ kind: 'calls', ...bench.target, calls, withinMs: turnMs, concurrency: 1 })
  for (let turn = 0; turn < turns; turn++) {
    results.calm.push(await read())
    results.publishing.push(await whilePublishing(bench, `${path}/vicals`, read, { onceIn: turnMs }))
    results.pressed.push(await whilePublishing(bench, `${path}/vicals`, read, { onceIn: 0 }))
  }
  return results
}

/**
 * Runs the work while the service publishes lists with the maximum of certificates. The next list starts after
 * `onceIn` milliseconds, or when the previous one is done.
 */
async function whilePublishing<Value>(
  { stack, target }: Bench,
  path: string,
  work: () => Promise<Value>,
  { onceIn }: { onceIn: number },
): Promise<Value> {
  await using lane = createLane(stack.origin)
  let isDone = false
  const publish = async () => {
    do await Promise.all([lane.call('POST', path, undefined, target), sleep(onceIn)])
    while (!isDone)
  }
  const ended = () => {
    isDone = true
  }
  const [value] = await Promise.all([work().finally(ended), publish()])
  return value
}

/** Makes an ecosystem with an issuer of mobile credentials and a CA for its lists. */
async function newPublisher(
  { target: { token } }: Bench,
  lane: Lane,
): Promise<{ path: string; participantId: string }> {
  const call = (method: string, path: string, body?: unknown) => lane.call(method, path, body, { token })
  const { id: caId } = await call('POST', '/v1/ecosystems/certificates/ca', { commonName: 'Bench CA', country: 'NZ' })
  await call('PUT', `/v1/ecosystems/certificates/ca/${caId}`, { active: true })
  const path = `/v1/ecosystems/${(await call('POST', '/v1/ecosystems', { name: 'Bench' })).id}`
  const type = await call('POST', `${path}/credentials`, { profile: 'mobile', type: docType, name: 'Licence' })
  const { id: participantId } = await call('POST', `${path}/participants`, { name: 'Issuer', isIssuer: true })
  await call('POST', `${path}/participants/${participantId}/issuer/credentials`, { credentialId: type.id })
  await call('PUT', `${path}/vicals/configuration`, { vicalProvider: 'Benchmark' })
  return { path, participantId }
}
