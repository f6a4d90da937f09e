import { X509Certificate } from 'node:crypto'
import { and, asc, eq, isNotNull } from 'drizzle-orm'
import type { Writer } from '../../db/client.ts'
import { trustedLists } from '../../db/tables/ecosystems/trusted-lists.ts'
import { dayMs } from '../../shared/clock.ts'
import type { ListKind } from '../../shared/domain/ecosystems/list-kinds.ts'
import { queueDueTrustedLists } from '../../workers/publishing/queue-due-trusted-lists.ts'
import { publishDueTrustedList } from '../../workers/signing/trusted-lists/publish-due-trusted-list.ts'
import { newEcosystem } from '../api/ecosystems/factories.ts'
import { newEcosystemCa } from '../certificates/hierarchy.ts'
import { createApi } from '../harness/api-client.ts'
import { startService, type TestTenant, tokenOf } from '../harness/harness.ts'
import { signingDeps } from '../harness/published.ts'

/** A part of a write transaction. */
export type Work = (writer: Writer) => Promise<unknown>
/** Runs a transaction, or fails instead. */
export type RunWork = (tx: (work: Work) => Promise<unknown>, work: Work) => Promise<unknown>

export const killed = new Error('killed')
export const die = () => Promise.reject(killed)

export const daily = { enabled: true, frequency: 'Daily' }
export const weekly = { enabled: true, frequency: 'Weekly' }
export const ecosystemOf = (path: string) => path.split('/')[3]!

/** Starts a service whose lists are published only by `tick`, and returns the steps that its tests share. */
export async function startPublishing() {
  const service = await startService({ roles: ['signing', 'analytics'] })

  async function operatorOf({ host, clientId, clientSecret }: TestTenant) {
    return createApi(service.origin, host, await tokenOf(service.origin, host, clientId, clientSecret))
  }

  async function configure(tenant: TestTenant, path: string, autoPublish?: object) {
    const operator = await operatorOf(tenant)
    const body = { vicalProvider: 'Aotearoa', ...(autoPublish && { autoPublish }) }
    return operator.put(`${path}/vicals/configuration`, body)
  }

  /** Creates a tenant with an ecosystem and an active CA. */
  async function newPublisher() {
    const tenant = await service.addTenant()
    const path = await newEcosystem(tenant)
    const { id: caId, certificatePem } = await newEcosystemCa(tenant)
    return { tenant, path, caId, roots: [new X509Certificate(certificatePem)] }
  }

  function listsOf(path: string, kind: ListKind = 'vical') {
    const { ecosystemId, number } = trustedLists
    return service.deps.db.read
      .select()
      .from(trustedLists)
      .where(and(eq(ecosystemId, ecosystemOf(path)), eq(trustedLists.kind, kind), isNotNull(number)))
      .orderBy(asc(number))
  }

  /** Returns the numbers of the lists that were published automatically, and of those that were requested. */
  async function numbersOf(path: string) {
    const { automatic = [], requested = [] } = Object.groupBy(await listsOf(path), ({ isAutoPublished }) =>
      isAutoPublished ? 'automatic' : 'requested',
    )
    return [automatic.map(({ number }) => number), requested.map(({ number }) => number)]
  }

  const queued = () => service.deps.bus.queue('signing-bulk').getJobs(['prioritized', 'waiting'])

  /** Runs each queued job twice at the same time. */
  async function runQueued(deps = signingDeps(service)) {
    for (const job of await queued()) {
      const run = () => publishDueTrustedList(deps, job.data.payload, { isLast: false })
      await Promise.all([run(), run()])
      await job.remove()
    }
  }

  /** Runs two schedulers at the same time, and then the jobs that they queued. */
  async function tick() {
    await Promise.all([queueDueTrustedLists(service.deps), queueDueTrustedLists(service.deps)])
    await runQueued()
  }

  /** Moves the clock to five minutes after the next midnight, or the next Monday's, in UTC. */
  function moveTo(what: 'day' | 'week') {
    const at = service.clock.now()
    const day = Math.floor(at.getTime() / dayMs)
    const days = what === 'day' ? 1 : 7 - ((day + 3) % 7)
    service.clock.advance((day + days) * dayMs + 5 * 60_000 - at.getTime())
  }

  /** Returns the dependencies of a signing process whose transactions go through `run`. */
  function dying(run: RunWork) {
    const { db } = service.deps
    const tx = ((work: Work) => run(db.tx, work)) as typeof db.tx
    return signingDeps(service, { db: { ...db, tx } })
  }

  const resetClock = () => service.clock.advance(Date.now() - service.clock.now().getTime())
  const steps = { operatorOf, configure, newPublisher, listsOf, numbersOf, queued, runQueued, tick, moveTo, dying }
  return { service, resetClock, ...steps }
}
