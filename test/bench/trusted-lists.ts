import { setTimeout as sleep } from 'node:timers/promises'
import { startChild } from './child.ts'
import { type ComparedReads, compareReads } from './compare-reads.ts'
import type { DriverResult } from './driver-jobs.ts'
import { createLane, type Lane } from './lane.ts'
import type { Bench } from './measure.ts'
import { managementReads } from './phases.ts'

/** Whose certificates are published. */
export interface Issuer {
  participantId: string
  /** Of certificates that it is to have. */
  count: number
}

/** Milliseconds, the median of many, by turns. */
export interface Publication {
  count: number
  /** From rows to stored signed bytes. */
  publishMs: number
  /** To read the rows and to make the payload of them, unsigned. */
  assembleMs: number
  /** To read the stored entries alone, and to join them as they are. */
  joinMs: number
}

export interface TrustedListResults {
  publications: Publication[]
  reads: ComparedReads[]
  /** Calls of the API, of one client, by turns: while nothing is published, one list in ten seconds, and one after the other. */
  calm: DriverResult[]
  publishing: DriverResult[]
  pressed: DriverResult[]
}

const docType = 'org.iso.18013.5.1.mDL'
/** As the lists have that are published, and the most that one may have. */
const counts = [40, 10_000]
/** An odd number: the one in the middle counts. */
const turns = 5
/** Of a turn. What publishes by itself is looked for as often. */
const turnMs = 10_000

export async function trustedListPhases(bench: Bench): Promise<TrustedListResults> {
  await using lane = createLane(bench.stack.origin)
  const { path, participantId } = await newPublisher(bench, lane)
  const child = await startChild('./publish-trusted-list.ts', { DATABASE_URL: bench.stack.databaseUrl })
  const results: TrustedListResults = { publications: [], reads: [], calm: [], publishing: [], pressed: [] }
  try {
    for (const certificates of counts) {
      // Boundary: publish-trusted-list.ts answers with one of these.
      results.publications.push((await child.ask({ participantId, count: certificates })) as Publication)
      await lane.call('POST', `${path}/vicals`, undefined, bench.target)
      results.reads.push(...(await compareReads(bench, `${path}/vicals/public/latest`)))
    }
  } finally {
    child.stop()
  }
  const calls = await managementReads(bench, 2)
  // One client: on two cores more would leave none for who publishes.
  const read = () => bench.drive({ kind: 'calls', ...bench.target, calls, withinMs: turnMs, concurrency: 1 })
  for (let turn = 0; turn < turns; turn++) {
    results.calm.push(await read())
    results.publishing.push(await whilePublishing(bench, `${path}/vicals`, read, { onceIn: turnMs }))
    results.pressed.push(await whilePublishing(bench, `${path}/vicals`, read, { onceIn: 0 }))
  }
  return results
}

/** The work, while a list of the most certificates is published, and the next one so many milliseconds later, or when that is done. */
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

/** An ecosystem with an issuer of mobile credentials, and a CA to publish under. */
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
