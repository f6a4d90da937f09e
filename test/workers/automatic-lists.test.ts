import { X509Certificate } from 'node:crypto'
import { and, asc, eq, isNotNull } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Writer } from '../../db/client.ts'
import { findDueTrustedLists } from '../../db/repos/ecosystems/automatic-trusted-lists.ts'
import { findPublishedTrustedList, insertTrustedList } from '../../db/repos/ecosystems/trusted-lists.ts'
import { listAuditEvents } from '../../db/repos/operations/audit.ts'
import { ecosystemPolicies } from '../../db/tables/ecosystems/policies.ts'
import { trustedListConfigurations, trustedLists } from '../../db/tables/ecosystems/trusted-lists.ts'
import { dayMs, hourMs, plusMs } from '../../shared/clock.ts'
import { Problem } from '../../shared/errors.ts'
import type { TrustedListKind } from '../../shared/formats/trusted-lists/kinds.ts'
import { readTrustedList } from '../../shared/formats/trusted-lists/read-list.ts'
import { newId } from '../../shared/ids.ts'
import { queueDueTrustedLists } from '../../workers/publishing/queue-due-trusted-lists.ts'
import { serviceMetricsRegistry } from '../../workers/service-metrics/registry.ts'
import { measureTrustedLists } from '../../workers/service-metrics/trusted-lists.ts'
import { publishDueTrustedList } from '../../workers/signing/trusted-lists/publish-due-trusted-list.ts'
import { newEcosystem, newListed, newType } from '../api/ecosystems/factories.ts'
import { newCertificate } from '../certificates/certificates.ts'
import { ecosystemCas, newEcosystemCa } from '../certificates/hierarchy.ts'
import { createApi } from '../harness/api-client.ts'
import { type Service, startService, type TestTenant, tokenOf } from '../harness/harness.ts'
import { signingDeps } from '../harness/published.ts'
import { seededRandom } from '../harness/seeded-random.ts'

let service: Service
beforeAll(async () => {
  // Nothing is published but by the ticks of these tests.
  service = await startService({ roles: ['signing', 'analytics'] })
})
afterAll(() => service[Symbol.asyncDispose]())
afterEach(() => service.clock.advance(Date.now() - service.clock.now().getTime()))

const vicalProvider = 'Aotearoa'
const ecosystemOf = (path: string) => path.split('/')[3]!

async function operatorOf({ host, clientId, clientSecret }: TestTenant) {
  return createApi(service.origin, host, await tokenOf(service.origin, host, clientId, clientSecret))
}

async function configure(tenant: TestTenant, path: string, autoPublish?: object) {
  const operator = await operatorOf(tenant)
  return operator.put(`${path}/vicals/configuration`, { vicalProvider, ...(autoPublish && { autoPublish }) })
}

const daily = { enabled: true, frequency: 'Daily' }
const weekly = { enabled: true, frequency: 'Weekly' }
const off = { enabled: false, frequency: 'Daily' }

async function newPublisher() {
  const tenant = await service.addTenant()
  const path = await newEcosystem(tenant)
  const { id: caId, certificatePem } = await newEcosystemCa(tenant)
  return { tenant, path, caId, roots: [new X509Certificate(certificatePem)] }
}

function listsOf(path: string, kind: TrustedListKind = 'vical') {
  const { ecosystemId, number } = trustedLists
  return service.deps.db.read
    .select()
    .from(trustedLists)
    .where(and(eq(ecosystemId, ecosystemOf(path)), eq(trustedLists.kind, kind), isNotNull(number)))
    .orderBy(asc(number))
}

/** The numbers of those that were published by themselves, and of those that were asked for. */
async function numbersOf(path: string) {
  const { automatic = [], asked = [] } = Object.groupBy(await listsOf(path), ({ isAutoPublished }) =>
    isAutoPublished ? 'automatic' : 'asked',
  )
  return [automatic.map(({ number }) => number), asked.map(({ number }) => number)]
}

const queued = () => service.deps.bus.queue('signing-bulk').getJobs(['prioritized', 'waiting'])

/** What is on the queue is run, by two at once. */
async function runQueued(deps = signingDeps(service)) {
  for (const job of await queued()) {
    const run = () => publishDueTrustedList(deps, job.data.payload, { isLast: false })
    await Promise.all([run(), run()])
    await job.remove()
  }
}

/** Two schedulers tick at once, and what they queue is run. */
async function tick() {
  await Promise.all([queueDueTrustedLists(service.deps), queueDueTrustedLists(service.deps)])
  await runQueued()
}

function moveTo(what: 'day' | 'week') {
  const at = service.clock.now()
  const day = Math.floor(at.getTime() / dayMs)
  const days = what === 'day' ? 1 : 7 - ((day + 3) % 7)
  service.clock.advance((day + days) * dayMs + 5 * 60_000 - at.getTime())
}

const killed = new Error('killed')
const die = () => Promise.reject(killed)

/** Where those die who publish by themselves. What they have written stays. */
const deaths: Record<string, () => Promise<void>> = {
  async 'a scheduler before it queues'() {
    await expect(queueDueTrustedLists({ ...service.deps, bus: { ...service.deps.bus, sendMany: die } })).rejects.toBe(
      killed,
    )
  },
  async 'a scheduler when it has queued, and Redis loses the jobs'() {
    await queueDueTrustedLists(service.deps)
    for (const job of await queued()) await job.remove()
  },
  async 'a signing process before it commits'() {
    await queueDueTrustedLists(service.deps)
    const dead = runQueued(dying((tx, work) => tx((writer) => work(writer).then(die))))
    await expect(dead).rejects.toBe(killed)
  },
  async 'a signing process before it has read anything'() {
    await queueDueTrustedLists(service.deps)
    await expect(runQueued(dying(die))).rejects.toBe(killed)
  },
  async 'a signing process when it has committed, before its job is done'() {
    await queueDueTrustedLists(service.deps)
    await runQueued(dying((tx, work) => tx(work).then(die))).catch((error) => expect(error).toBe(killed))
  },
}

type Work = (writer: Writer) => Promise<unknown>

function dying(run: (tx: (work: Work) => Promise<unknown>, work: Work) => Promise<unknown>) {
  const { db } = service.deps
  const tx = ((work: Work) => run(db.tx, work)) as typeof db.tx
  return signingDeps(service, { db: { ...db, tx } })
}

test('40 days of daily publication, in which everybody dies everywhere every day, are 40 lists, and none is ever over', {
  timeout: 240_000,
}, async () => {
  const random = seededRandom()
  const { tenant, path, roots } = await newPublisher()
  const credentialId = await newType(tenant, path, { profile: 'mobile', type: 'org.iso.18013.5.1.mDL' })
  const lasting = { name: 'Readers', ca: true, notAfter: new Date(Date.now() + 100 * dayMs) }
  await newListed(tenant, path, 'verifier', { credentialId, holds: [await newCertificate(lasting)] })
  moveTo('day')
  await configure(tenant, path, daily)
  const ecosystemId = ecosystemOf(path)
  await (await operatorOf(tenant)).put(`${path}/ricals/configuration`, {
    ricalProvider: 'Aotearoa',
    autoPublish: daily,
  })
  const firstDay = Math.floor(service.clock.now().getTime() / dayMs)
  for (let day = 0; day < 40; day++) {
    const order = Object.keys(deaths).sort(() => random() - 0.5)
    for (let hour = 0; hour < 24; hour++) {
      const death = order[hour]
      if (death) await deaths[death]!()
      else if (hour === order.length || hour === 23) await tick()
      for (const kind of ['vical', 'rical'] as const) {
        const last = await findPublishedTrustedList(service.deps.db.read, tenant.id, ecosystemId, kind, 'latest')
        if (day > 0 || hour >= order.length) expect(last!.nextUpdate! > service.clock.now()).toBe(true)
      }
      service.clock.advance(hourMs)
    }
  }
  for (const kind of ['vical', 'rical'] as const) {
    const lists = await listsOf(path, kind)
    expect(lists.map(({ number }) => number)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1))
    expect(lists.map(({ date }) => Math.floor(date!.getTime() / dayMs) - firstDay)).toEqual([...lists.keys()])
    for (const { content, date } of lists.slice(-2)) readTrustedList(content!, { kind, roots, at: date! })
  }
  expect(await service.deps.db.read.$count(ecosystemPolicies, eq(ecosystemPolicies.ecosystemId, ecosystemId))).toBe(40)
})

test('there is one a day, or a week, also when it was off for a while, configured anew, or deleted; what is asked for does not count', async () => {
  const { tenant, path } = await newPublisher()
  moveTo('week')
  await configure(tenant, path, off)
  await tick()
  expect(await numbersOf(path)).toEqual([[], []])
  await (await operatorOf(tenant)).post(`${path}/vicals`)
  await configure(tenant, path, daily)
  await tick()
  await tick()
  await configure(tenant, path, off)
  await configure(tenant, path, daily)
  await (await operatorOf(tenant)).delete(`${path}/vicals/configuration`)
  await tick()
  await configure(tenant, path, daily)
  await (await operatorOf(tenant)).delete(`${path}/vicals/2`)
  await tick()
  expect(await numbersOf(path)).toEqual([[], [1]])

  moveTo('day')
  await (await operatorOf(tenant)).post(`${path}/vicals`)
  await tick()
  // A week in which nothing runs is made up once.
  service.clock.advance(7 * dayMs)
  await tick()
  expect(await numbersOf(path)).toEqual([
    [4, 5],
    [1, 3],
  ])
  moveTo('day')
  await configure(tenant, path, weekly)
  await tick()
  expect(await numbersOf(path)).toMatchObject([[4, 5], {}])
  moveTo('week')
  await tick()
  service.clock.advance(6 * dayMs)
  await tick()
  expect(await numbersOf(path)).toMatchObject([[4, 5, 6], {}])
  await configure(tenant, path, daily)
  await tick()
  expect(await numbersOf(path)).toMatchObject([[4, 5, 6, 7], {}])
  const { rows } = await listAuditEvents(
    service.deps.db.read,
    tenant.id,
    { types: ['ECOSYSTEM_VICAL_CREATE_AUDIT'] },
    9,
  )
  const madeBy = { id: expect.any(String), ecosystemId: ecosystemOf(path), madeBy: 'service' }
  expect(rows[0]).toMatchObject({ clientId: null, data: madeBy })
})

async function told() {
  await measureTrustedLists(service.deps)
  const lines = (await serviceMetricsRegistry.metrics())
    .split('\n')
    .filter((line) => line.startsWith('trustwright_trusted_lists_'))
  return Object.fromEntries(
    lines.map((line) => [/lists_(\w+)\{kind="vical"/.exec(line)?.[1], Number(line.split(' ').at(-1))]),
  )
}

test('a publication that fails is told once in an event, is seen in the configuration and in metrics, tried again after pauses, and keeps nobody waiting', async () => {
  const { tenant, path, caId } = await newPublisher()
  const other = await newPublisher()
  const setActive = async (active: boolean) => (await operatorOf(tenant)).put(`${ecosystemCas}/${caId}`, { active })
  const autoPublish = async () =>
    (await (await operatorOf(tenant)).get(`${path}/vicals/configuration`)).body.autoPublish
  moveTo('week')
  await setActive(false)
  const before = await told()
  await configure(tenant, path, daily)
  await configure(other.tenant, other.path, daily)
  expect(await told()).toMatchObject({ due: before.due! + 2, failing: before.failing! })
  await tick()
  expect(await numbersOf(path)).toEqual([[], []])
  expect(await numbersOf(other.path)).toEqual([[1], []])
  const { lastFailure } = await autoPublish()
  expect(lastFailure).toEqual({
    at: expect.any(String),
    reason: 'There is no active ecosystem CA that is valid now. Create or activate one.',
  })
  expect(await told()).toMatchObject({ failing: before.failing! + 1 })

  await tick()
  expect((await autoPublish()).lastFailure).toEqual(lastFailure)
  service.clock.advance(61_000)
  await tick()
  expect((await autoPublish()).lastFailure.at > lastFailure.at).toBe(true)
  const { data } = (await (await operatorOf(tenant)).get('/v1/events?types=ECOSYSTEM_VICAL_PUBLICATION_FAILED')).body
  expect(data).toMatchObject([
    { category: 'ECOSYSTEMS', data: { ecosystemId: ecosystemOf(path), reason: lastFailure.reason } },
  ])

  await setActive(true)
  service.clock.advance(hourMs)
  await tick()
  expect(await numbersOf(path)).toEqual([[1], []])
  expect(await autoPublish()).toEqual({ ...daily, configuredAt: expect.any(String) })
  expect(await told()).toMatchObject({ failing: before.failing! })

  // Whoever configures it anew, or publishes, need not wait for the end of a pause.
  moveTo('day')
  await setActive(false)
  await tick()
  await setActive(true)
  await configure(tenant, path, daily)
  await tick()
  expect(await numbersOf(path)).toEqual([[1, 2], []])
  moveTo('day')
  await setActive(false)
  await tick()
  await setActive(true)
  await (await operatorOf(tenant)).post(`${path}/vicals`)
  await tick()
  expect(await numbersOf(path)).toEqual([[1, 2, 4], [3]])
})

test('a list that goes wrong on our side is tried again by the queue first, and then noted without what it was; an outage is none of its failures', async () => {
  const { tenant, path } = await newPublisher()
  moveTo('week')
  await configure(tenant, path, daily)
  const configuration = `${path}/vicals/configuration`
  // The signer is there then, so that the first transaction is the one that publishes.
  await (await operatorOf(tenant)).post(`${path}/vicals`)
  await queueDueTrustedLists(service.deps)
  const { payload } = (await queued()).find(({ data }) => data.payload.tenantId === tenant.id)!.data
  const failing = (run: (tx: (work: Work) => Promise<unknown>, work: Work) => Promise<unknown>) => {
    let isFirst = true
    return dying((tx, work) => {
      const wasFirst = isFirst
      isFirst = false
      return wasFirst ? run(tx, work) : tx(work)
    })
  }
  const lastFailure = async () => (await (await operatorOf(tenant)).get(configuration)).body.autoPublish.lastFailure
  await expect(publishDueTrustedList(failing(die), payload, { isLast: false })).rejects.toBe(killed)
  const away = failing(() => Promise.reject(new Problem('service_unavailable')))
  await expect(publishDueTrustedList(away, payload, { isLast: true })).rejects.toThrow(Problem)
  expect(await lastFailure()).toBeUndefined()
  await expect(publishDueTrustedList(failing(die), payload, { isLast: true })).rejects.toBe(killed)
  expect(await lastFailure()).toMatchObject({ reason: 'Something went wrong on our side' })
  // It is not due before the pause is over. What was committed has not failed, whatever became of the answer.
  await publishDueTrustedList(signingDeps(service), payload, { isLast: false })
  expect(await numbersOf(path)).toEqual([[], [1]])
  service.clock.advance(hourMs)
  const lost = failing((tx, work) => tx(work).then(die))
  await expect(publishDueTrustedList(lost, payload, { isLast: true })).rejects.toBe(killed)
  expect([await numbersOf(path), await lastFailure()]).toEqual([[[2], [1]], undefined])
  moveTo('day')
  await (await operatorOf(tenant)).delete(path)
  await runQueued()
  const operator = await operatorOf(tenant)
  expect((await operator.get('/v1/events?types=ECOSYSTEM_VICAL_PUBLICATION_FAILED')).body.data).toHaveLength(1)
  expect(await numbersOf(path)).toEqual([[2], [1]])
})

test('the last list of an ecosystem whose nextUpdate nears is counted, until one is published or its configuration goes', async () => {
  const { tenant, path } = await newPublisher()
  await configure(tenant, path)
  const publish = async () => (await operatorOf(tenant)).post(`${path}/vicals`)
  await publish()
  const ending = async () => (await told()).ending!
  service.clock.advance(75 * dayMs)
  const before = await ending()
  service.clock.advance(2 * dayMs)
  // Of others too, which were published in this file.
  const now = await ending()
  expect(now).toBeGreaterThan(before)
  await publish()
  expect(await ending()).toBe(now - 1)
  await (await operatorOf(tenant)).delete(`${path}/vicals/2`)
  expect(await ending()).toBe(now)
  await (await operatorOf(tenant)).delete(`${path}/vicals/configuration`)
  expect(await ending()).toBe(now - 1)
})

test('the tenants come in turn, however many lists one has that are due', async () => {
  const [many, one] = [await service.addTenant(), await service.addTenant()]
  const paths = await Promise.all(Array.from({ length: 6 }, () => newEcosystem(many)))
  await Promise.all(paths.map((path) => configure(many, path, daily)))
  await configure(one, await newEcosystem(one), daily)
  const due = await findDueTrustedLists(service.deps.db.read, service.clock.now(), 1000)
  const ranksOf = ({ id }: TestTenant) => due.filter(({ tenantId }) => tenantId === id).map(({ rank }) => rank)
  expect([ranksOf(many), ranksOf(one)]).toEqual([[1, 2, 3, 4, 5, 6], [1]])
  expect(due.map(({ rank }) => rank)).toEqual(due.map(({ rank }) => rank).sort((a, b) => a - b))
  await queueDueTrustedLists(service.deps)
  expect((await queued()).map(({ opts }) => opts.priority)).toContain(6)
  await runQueued()
  await service.platform.delete(`/v1/tenants/${one.id}`)
  service.clock.advance(dayMs)
  expect(
    (await findDueTrustedLists(service.deps.db.read, service.clock.now(), 1000)).map((each) => each.tenantId),
  ).not.toContain(one.id)
})

test('what was never published because the process that asked for it died is taken away, and the audit says so', async () => {
  const { tenant, path } = await newPublisher()
  const row = {
    id: newId(),
    tenantId: tenant.id,
    ecosystemId: ecosystemOf(path),
    kind: 'vical',
    isAutoPublished: false,
  } as const
  const { db } = service.deps
  await db.tx((tx) => insertTrustedList(tx, { ...row, createdAt: service.clock.now() }))
  const isThere = () => db.read.$count(trustedLists, eq(trustedLists.id, row.id))
  await tick()
  expect(await isThere()).toBe(1)
  service.clock.advance(61_000)
  await tick()
  expect(await isThere()).toBe(0)
  const { rows } = await listAuditEvents(db.read, tenant.id, { types: ['ECOSYSTEM_VICAL_DELETE_AUDIT'] }, 9)
  expect(rows).toMatchObject([{ data: { id: row.id, reason: 'never made' } }])
})

test('a clock that was far ahead, and is right again, keeps no list from being published', async () => {
  const { tenant, path } = await newPublisher()
  await configure(tenant, path, weekly)
  await tick()
  const ahead = plusMs(service.clock.now(), 400 * dayMs)
  const { tenantId } = trustedListConfigurations
  const written = { lastAutomaticAt: ahead, retryAt: ahead }
  await service.deps.db.tx((tx) => tx.update(trustedListConfigurations).set(written).where(eq(tenantId, tenant.id)))
  for (let ticks = 0; ticks < 2; ticks++) await tick()
  expect(await numbersOf(path)).toEqual([[1, 2], []])
})
