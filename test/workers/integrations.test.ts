import { gzipSync } from 'node:zlib'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findDueIntegrations, takeDueIntegrations } from '../../db/repos/ecosystems/due-integrations.ts'
import { ecosystemIntegrations, integratedCertificates } from '../../db/tables/ecosystems/integrations.ts'
import { plusMs } from '../../shared/clock.ts'
import type { IntegrationDeps } from '../../workers/integrations/deps.ts'
import { queueDueIntegrations } from '../../workers/integrations/queue-due-integrations.ts'
import { readIntegratedList } from '../../workers/integrations/read-integrated-list.ts'
import { syncIntegration } from '../../workers/integrations/sync-integration.ts'
import { measureIntegrations } from '../../workers/service-metrics/integrations.ts'
import { serviceMetricsRegistry } from '../../workers/service-metrics/registry.ts'
import { newEcosystem, newParticipant, newType } from '../api/ecosystems/factories.ts'
import { type Certified, derOf, newCertificate, pemOf } from '../certificates/certificates.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'
import { entryOf, mdl, newForeignSigner, startPublisher } from '../servers/foreign-lists.ts'

let service: Service
let deps: IntegrationDeps
/** The jobs' clock is ahead by so much: operators' tokens do not live for days. */
let aheadMs = 0
const signer = await newForeignSigner()
const yearMs = 365 * 24 * 3_600_000
const hourMs = 3_600_000
const newAuthority = (name = 'Authority') => newCertificate({ name, ca: true, notAfter: new Date(Date.now() + yearMs) })

beforeAll(async () => {
  service = await startService({ roles: ['signing', 'relay', 'publishing', 'analytics', 'upkeep'] })
  const clock = { now: () => plusMs(service.clock.now(), aheadMs) }
  // The workers of the service read lists in threads. Here lists are read in this process.
  deps = { ...service.deps, clock, lists: { run: async (asked) => readIntegratedList(asked) } }
})
beforeEach(() => {
  aheadMs = 0
})
afterAll(() => service[Symbol.asyncDispose]())

/** As the jobs do, for what is due now. */
async function syncDue(tenant: TestTenant, using: IntegrationDeps = deps): Promise<number> {
  const due = await findDueIntegrations(deps.db.read, deps.clock.now(), { maxAtOnce: 40, maxOfTenant: 9 })
  const own = due.filter(({ tenantId }) => tenantId === tenant.id)
  const taken = await deps.db.tx((tx) => takeDueIntegrations(tx, own, deps.clock.now()))
  await Promise.all(taken.map((ref) => syncIntegration(using, ref)))
  return taken.length
}

const integrationOf = (url: string, more: object = {}) => ({ format: 'VICAL', url, ...more })

async function newSubscriber(url: string, more: object = {}, settings: object = {}) {
  const tenant = await service.addTenant(settings as Record<string, unknown>)
  const path = await newEcosystem(tenant, { integrations: [integrationOf(url, more)] })
  await newType(tenant, path, { profile: 'mobile', type: mdl })
  const put = (integrations: object[]) => tenant.operator.put(path, { name: 'Ecosystem', integrations })
  const result = async () => (await tenant.operator.get(path)).body.integrations[0].integrationResult
  const failure = async () => (await result()).failReasons?.[0].type
  return { tenant, path, put, result, failure }
}

async function isTrusted(
  { operator }: TestTenant,
  certified: Certified,
  type = mdl,
  role = 'issuer',
): Promise<boolean> {
  const asked = { profile: 'mobile', identifier: pemOf(certified), type }
  const { status, body } = await operator.post(`/v1/ecosystems/${role}-validation`, asked)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body.validated
}

const eventsOf = async ({ operator }: TestTenant) =>
  (await operator.get('/v1/events?categories=ECOSYSTEMS')).body.data.filter(({ type }: { type: string }) =>
    type.startsWith('ECOSYSTEM_INTEGRATION'),
  )

test('trust checks use the certificates of a valid external list, and nothing else uses them', async () => {
  const [one, two, past] = [
    await newAuthority(),
    await newAuthority(),
    await newCertificate({ name: 'Past', ca: true, notAfter: new Date(Date.now() - 1000) }),
  ]
  const date = new Date(Date.now() - 2000)
  const published = {
    body: await signer.vical([one, past], { date, entries: [entryOf(derOf(two), ['photo']), 'bad'] }),
  }
  await using publisher = await startPublisher(published)
  const { tenant, path, result } = await newSubscriber(`${publisher.url}?key=secret`)
  expect(await syncDue(tenant)).toBe(1)
  expect(await result()).toStrictEqual({
    success: true,
    lastSyncedAt: expect.any(String),
    lastModifiedAt: `${date.toISOString().slice(0, 19)}.000Z`,
    pinnedRootFingerprint: signer.root.certificate && expect.stringMatching(/^[0-9a-f]{64}$/),
    certificatesCount: 3,
    changes: { added: 3, removed: 0, changed: 0, at: expect.any(String) },
    skippedEntries: { count: 1, first: [{ index: 3, reason: 'it is not a map' }] },
  })
  expect(await isTrusted(tenant, one)).toBe(true)
  expect(await isTrusted(tenant, past)).toBe(false)
  // The ecosystem does not know the type, and then it does.
  expect([await isTrusted(tenant, two, 'photo'), await isTrusted(tenant, two)]).toEqual([false, false])
  await newType(tenant, path, { profile: 'mobile', type: 'photo' })
  expect([await isTrusted(tenant, two, 'photo'), await isTrusted(tenant, two)]).toEqual([true, false])
  expect(await isTrusted(tenant, one, mdl, 'verifier')).toBe(false)
  expect(await isTrusted(await service.addTenant(), one)).toBe(false)
  const { participants } = (await tenant.operator.get(`${path}/preview`)).body
  expect(participants).toEqual({})
  const [event] = await eventsOf(tenant)
  expect(event).toMatchObject({ type: 'ECOSYSTEM_INTEGRATION_SYNC_SUCCESS', data: { added: 3, skipped: 1 } })
  expect(JSON.stringify(event)).not.toContain('secret')
})

test('the next valid list replaces the previous one, and an invalid one changes nothing', async () => {
  const [one, two, three] = [await newAuthority('1'), await newAuthority('2'), await newAuthority('3')]
  const stranger = await newForeignSigner()
  await using publisher = await startPublisher({
    body: await signer.vical([one, two], { date: new Date(Date.now() - 9000) }),
  })
  const { tenant, result, failure } = await newSubscriber(publisher.url)
  await syncDue(tenant)
  const next = async (published: typeof publisher.published) => {
    publisher.published = published
    aheadMs += 24 * hourMs
    expect(await syncDue(tenant)).toBe(1)
  }
  const good = await signer.vical([two, three], { docTypes: [mdl, 'photo'] })
  await next({ body: good })
  expect(await result()).toMatchObject({ success: true, changes: { added: 1, removed: 1, changed: 1 } })
  const stands = async () => [
    await isTrusted(tenant, one),
    await isTrusted(tenant, two),
    await isTrusted(tenant, three),
  ]
  expect(await stands()).toEqual([false, true, true])
  const { lastModifiedAt, changes } = await result()

  const flipped = Buffer.from(good)
  flipped[flipped.length - 1]! ^= 1
  const bad: [string, typeof publisher.published][] = [
    ['FetchFailed', { status: 500 }],
    ['FetchFailed', { status: 304 }],
    ['FetchFailed', { status: 302, headers: { location: 'http://10.0.0.1/' } }],
    ['FetchFailed', { body: good, headers: { 'content-encoding': 'gzip' } }],
    ['FetchFailed', { body: good, headers: { 'content-encoding': 'br' } }],
    ['TooLarge', { body: Buffer.alloc(16_000_001) }],
    ['TooLarge', { body: gzipSync(Buffer.alloc(16_000_001)), headers: { 'content-encoding': 'gzip' } }],
    ['NotAList', { body: Buffer.from('<html>') }],
    ['NotAList', { body: good.subarray(0, 500) }],
    ['SignatureInvalid', { body: flipped }],
    ['RootChanged', { body: await stranger.vical([one]) }],
    ['Outdated', { body: await signer.vical([one], { date: new Date(Date.now() - 60_000) }) }],
    ['Expired', { body: await signer.vical([one], { nextUpdate: new Date() }) }],
    ['NoUsableEntries', { body: await signer.vical([], { entries: [null] }) }],
  ]
  for (const [type, published] of bad) {
    publisher.published = published
    await deps.db.tx((tx) =>
      tx.update(ecosystemIntegrations).set({ nextSyncAt: null }).where(eq(ecosystemIntegrations.tenantId, tenant.id)),
    )
    expect(await syncDue(tenant)).toBe(1)
    expect(await failure(), type).toBe(type)
    expect(await result()).toMatchObject({ success: false, lastModifiedAt, changes })
  }
  expect(await stands()).toEqual([false, true, true])
  await next({ body: gzipSync(good), headers: { 'content-encoding': 'gzip' } })
  expect(await result()).toMatchObject({ success: true, lastModifiedAt, changes })
  expect((await result()).failReasons).toBeUndefined()
  expect((await eventsOf(tenant))[1]).toMatchObject({
    type: 'ECOSYSTEM_INTEGRATION_SYNC_FAIL',
    data: { error: { type: 'NoUsableEntries', message: expect.any(String) } },
  })
})

test('an unchanged list costs one conditional request while it stays valid', async () => {
  const authority = await newAuthority()
  const nextUpdate = new Date(service.clock.now().getTime() + 30 * hourMs)
  const headers = { etag: '"one"' }
  await using publisher = await startPublisher({ body: await signer.vical([authority], { nextUpdate }), headers })
  const { tenant, result, failure } = await newSubscriber(publisher.url)
  await syncDue(tenant)
  aheadMs += 24 * hourMs
  expect(await syncDue(tenant)).toBe(1)
  expect(publisher.asked.map((each) => each['if-none-match'])).toEqual([undefined, '"one"'])
  expect(await result()).toMatchObject({ success: true, certificatesCount: 1, changes: { added: 1 } })
  // At its nextUpdate, and not a day later.
  aheadMs += 5 * hourMs
  expect(await syncDue(tenant)).toBe(0)
  aheadMs += 2 * hourMs
  expect(await syncDue(tenant)).toBe(1)
  expect([publisher.asked[2]?.['if-none-match'], await failure()]).toEqual([undefined, 'Expired'])
  expect(await isTrusted(tenant, authority)).toBe(true)
})

test('pauses between failed fetches become longer', async () => {
  await using publisher = await startPublisher({ status: 404 })
  const { tenant } = await newSubscriber(publisher.url)
  for (const minutes of [5, 20, 80, 320, 1280, 1440, 1440]) {
    expect(await syncDue(tenant)).toBe(1)
    aheadMs += (minutes - 1) * 60_000
    expect(await syncDue(tenant), `${minutes}`).toBe(0)
    aheadMs += 61_000
  }
})

test('a change or removal of an integration decides what stays of its list', async () => {
  const [one, two] = [await newAuthority('1'), await newAuthority('2')]
  const stranger = await newForeignSigner()
  await using publisher = await startPublisher({ body: await signer.vical([one]) })
  const { tenant, put, result } = await newSubscriber(publisher.url)
  const anchored = (...roots: Certified[]) => integrationOf(publisher.url, { trustAnchors: roots.map(pemOf) })
  const trusted = async () => [await isTrusted(tenant, one), await isTrusted(tenant, two)]
  await syncDue(tenant)
  expect(await trusted()).toEqual([true, false])
  // It does not count while it is disabled, and is fetched at once when it is enabled.
  await put([integrationOf(publisher.url, { enabled: false })])
  expect([await trusted(), await syncDue(tenant)]).toEqual([[false, false], 0])
  await put([integrationOf(publisher.url)])
  expect([await trusted(), await syncDue(tenant)]).toEqual([[true, false], 1])
  // Nothing that matters was changed.
  await put([integrationOf(publisher.url)])
  expect(await syncDue(tenant)).toBe(0)
  // With a second anchor the list stays, and without the old anchor it is removed.
  await put([anchored(signer.root, stranger.root)])
  expect(await trusted()).toEqual([true, false])
  publisher.published = { body: await stranger.vical([two]) }
  expect(await syncDue(tenant)).toBe(1)
  expect([await trusted(), (await result()).pinnedRootFingerprint]).toEqual([[false, true], undefined])
  await put([anchored(signer.root)])
  expect([await trusted(), await result()]).toEqual([[false, false], undefined])
  expect(await syncDue(tenant)).toBe(1)
  expect(await result()).toMatchObject({ success: false, failReasons: [{ type: 'ChainInvalid' }] })
  await put([anchored(stranger.root)])
  await syncDue(tenant)
  expect(await trusted()).toEqual([false, true])
  // Another URL is another list.
  await put([integrationOf(`${publisher.url}?other`)])
  expect([await trusted(), await result()]).toEqual([[false, false], undefined])
  await syncDue(tenant)
  expect(await trusted()).toEqual([false, true])
  await put([])
  expect(await trusted()).toEqual([false, false])
  const left = deps.db.read.$count(integratedCertificates, eq(integratedCertificates.tenantId, tenant.id))
  expect(await left).toBe(0)
})

test('a list whose integration was changed or removed during the fetch is not stored', async () => {
  const [one, two] = [await newAuthority('1'), await newAuthority('2')]
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  await using publisher = await startPublisher({ body: await signer.vical([one]) })
  publisher.hold = held
  const { tenant, put, result } = await newSubscriber(publisher.url)
  const other = await newSubscriber(publisher.url)
  const syncing = [syncDue(tenant), syncDue(other.tenant)]
  await eventually(async () => publisher.asked.length === 2)
  await put([integrationOf(publisher.url, { trustAnchors: [pemOf(await newAuthority())] })])
  // What was in the ecosystem is there until the workers come.
  await service.workers.stop()
  expect(await other.tenant.operator.delete(other.path)).toMatchObject({ status: 204 })
  release()
  expect(await Promise.all(syncing)).toEqual([1, 1])
  expect([await result(), await isTrusted(tenant, one)]).toEqual([undefined, false])
  for (const { id } of [tenant, other.tenant])
    expect(await deps.db.read.$count(integratedCertificates, eq(integratedCertificates.tenantId, id))).toBe(0)
  await service.workers.start()
  publisher.published = { body: await signer.vical([two]) }
  expect(await syncDue(tenant)).toBe(1)
  expect(await result()).toMatchObject({ failReasons: [{ type: 'ChainInvalid' }] })
})

test('a job that dies between fetch and commit leaves nothing, the next job repeats it, and a job that runs twice stores once', async () => {
  const authority = await newAuthority()
  await using publisher = await startPublisher({ body: await signer.vical([authority]) })
  const { tenant, result } = await newSubscriber(publisher.url)
  const due = await findDueIntegrations(deps.db.read, deps.clock.now(), { maxAtOnce: 40, maxOfTenant: 9 })
  const own = due.filter(({ tenantId }) => tenantId === tenant.id)
  const [ref] = await deps.db.tx((tx) => takeDueIntegrations(tx, own, deps.clock.now()))
  let transactions = 0
  const die = () => {
    throw new Error('killed')
  }
  const tx: typeof deps.db.tx = (work) =>
    deps.db.tx(async (tx) => {
      const done = await work(tx)
      return ++transactions === 2 ? die() : done
    })
  await expect(syncIntegration({ ...deps, db: { ...deps.db, tx } }, ref!)).rejects.toThrow('killed')
  expect([await result(), await isTrusted(tenant, authority)]).toEqual([undefined, false])
  expect(await syncDue(tenant)).toBe(0)
  // Both fetch before one of them stores.
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  publisher.hold = held
  const twice = Promise.all([syncIntegration(deps, ref!), syncIntegration(deps, ref!)])
  await expect.poll(() => publisher.asked.length).toBe(3)
  release()
  await twice
  expect([await isTrusted(tenant, authority), (await eventsOf(tenant)).length]).toEqual([true, 1])
  // Where Redis lost the job, it is due again.
  await syncIntegration(deps, ref!)
  expect(publisher.asked).toHaveLength(3)
})

test('concurrent schedulers fetch each due list once, and two lists of a tenant at a time', async () => {
  await using publisher = await startPublisher({ body: await signer.vical([]) })
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  publisher.hold = held
  const tenant = await service.addTenant()
  const urls = Array.from({ length: 5 }, (_, at) => `${publisher.url}/${at}`)
  const path = await newEcosystem(tenant, { integrations: urls.map((url) => integrationOf(url)) })
  await Promise.all(Array.from({ length: 4 }, () => queueDueIntegrations(deps)))
  await eventually(async () => publisher.asked.length === 2)
  await queueDueIntegrations(deps)
  release()
  await eventually(async () => {
    await queueDueIntegrations(deps)
    const { integrations } = (await tenant.operator.get(path)).body
    return integrations.every((each: { integrationResult?: object }) => each.integrationResult)
  })
  expect(publisher.asked.map(({ path }) => path).toSorted()).toEqual(urls.map((url) => new URL(url).pathname))
})

test('a sync request fetches all enabled lists now, once for repeated requests', async () => {
  const authority = await newAuthority()
  await using publisher = await startPublisher({ body: await signer.vical([authority]) })
  const { tenant, put } = await newSubscriber(publisher.url)
  const off = integrationOf(`${publisher.url}?off`, { enabled: false })
  await put([integrationOf(publisher.url), off])
  await syncDue(tenant)
  service.clock.advance(2 * hourMs)
  expect(await syncDue(tenant)).toBe(0)
  const [asked] = await Promise.all(Array.from({ length: 4 }, () => tenant.operator.post('/v1/ecosystems/sync')))
  const { ecosystems } = asked!.body.tenantConfiguration
  expect([asked!.status, ecosystems]).toEqual([202, [{ id: expect.any(String), name: 'Ecosystem' }]])
  expect(asked!.body.integrations).toEqual([integrationOf(publisher.url, { enabled: true }), off])
  expect(await syncDue(tenant)).toBe(1)
  expect(publisher.asked).toHaveLength(2)
  // Not again within a minute, and then it is.
  await tenant.operator.post('/v1/ecosystems/sync')
  expect(await syncDue(tenant)).toBe(0)
  service.clock.advance(61_000)
  expect(await syncDue(tenant)).toBe(1)
  const neighbour = await newSubscriber(publisher.url)
  await syncDue(neighbour.tenant)
  service.clock.advance(2 * hourMs)
  await tenant.operator.post('/v1/ecosystems/sync')
  expect([await syncDue(neighbour.tenant), await syncDue(tenant)]).toEqual([0, 1])
})

test('external lists give an ecosystem at most the certificates of its quota', async () => {
  const authorities = [await newAuthority('1'), await newAuthority('2')]
  await using publisher = await startPublisher({ body: await signer.vical(authorities) })
  const { tenant, put, failure } = await newSubscriber(publisher.url, {}, { limits: { integratedCertificates: 3 } })
  await syncDue(tenant)
  const second = `${publisher.url}?second`
  await put([integrationOf(second), integrationOf(publisher.url)])
  await syncDue(tenant)
  expect(await failure()).toBe('TooLarge')
  const ofTenant = eq(integratedCertificates.tenantId, tenant.id)
  expect(await deps.db.read.$count(integratedCertificates, ofTenant)).toBe(2)
})

test('an external list adds no participant', async () => {
  const authority = await newAuthority()
  await using publisher = await startPublisher({ body: await signer.vical([authority]) })
  const { tenant, path } = await newSubscriber(publisher.url)
  await syncDue(tenant)
  const participant = await newParticipant(tenant, path, { isIssuer: true })
  const listed = (await tenant.operator.get(`${participant}/issuer-certificates`)).body.data
  expect([listed, await isTrusted(tenant, authority)]).toEqual([[], true])
})

test('metrics count failing lists and show the longest time without success', async () => {
  await deps.db.tx((tx) => tx.delete(ecosystemIntegrations))
  await using publisher = await startPublisher({ body: await signer.vical([]) })
  const good = await newSubscriber(publisher.url)
  await syncDue(good.tenant)
  const bad = await newSubscriber(`${publisher.url}?bad`)
  publisher.published = { status: 500 }
  await syncDue(bad.tenant)
  await newSubscriber(`${publisher.url}?new`)
  await newSubscriber(`${publisher.url}?off`, { enabled: false })
  aheadMs = 3 * hourMs
  await measureIntegrations(deps)
  const valuesOf = async (name: string) => (await serviceMetricsRegistry.getSingleMetric(name)?.get())?.values
  expect(await valuesOf('trustwright_integrations')).toEqual(
    ['good', 'failing', 'waiting'].map((state) => ({ labels: { state }, value: 1 })),
  )
  const [oldest] = (await valuesOf('trustwright_integrations_oldest_good_seconds')) ?? []
  expect(Math.floor(oldest!.value / 3600)).toBe(3)
})
