import { eq, like } from 'drizzle-orm'
import { afterAll, afterEach, expect, test } from 'vitest'
import { findDueTrustedLists } from '../../db/repos/ecosystems/automatic-trusted-lists.ts'
import { insertTrustedList } from '../../db/repos/ecosystems/trusted-lists.ts'
import { listAuditEvents } from '../../db/repos/operations/audit/audit.ts'
import { trustedListConfigurations, trustedLists } from '../../db/tables/ecosystems/trusted-lists.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { dayMs, hourMs, plusMs } from '../../shared/clock.ts'
import { Problem } from '../../shared/errors/errors.ts'
import { newId } from '../../shared/ids.ts'
import { queueDueTrustedLists } from '../../workers/publishing/queue-due-trusted-lists.ts'
import { serviceMetricsRegistry } from '../../workers/service-metrics/registry.ts'
import { measureTrustedLists } from '../../workers/service-metrics/trusted-lists.ts'
import { publishDueTrustedList } from '../../workers/signing/trusted-lists/publish-due-trusted-list.ts'
import { newEcosystem } from '../api/ecosystems/factories.ts'
import { ecosystemCas } from '../certificates/hierarchy.ts'
import type { TestTenant } from '../harness/harness.ts'
import { signingDeps } from '../harness/published.ts'

import { daily, die, ecosystemOf, killed, type RunWork, startPublishing, weekly } from './list-publishing.ts'

const { service, operatorOf, configure, newPublisher, numbersOf, queued, runQueued, tick, moveTo, dying, resetClock } =
  await startPublishing()
afterAll(() => service[Symbol.asyncDispose]())
afterEach(resetClock)

const off = { enabled: false, frequency: 'Daily' }

test('one list is published per day or week, also after a pause, a new configuration or a deletion, besides requested lists', async () => {
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

/** Returns the metrics of VICALs by name. */
async function vicalMetrics() {
  await measureTrustedLists(service.deps)
  const lines = (await serviceMetricsRegistry.metrics())
    .split('\n')
    .filter((line) => line.startsWith('trustwright_trusted_lists_'))
  return Object.fromEntries(
    lines.map((line) => [/lists_(\w+)\{kind="vical"/.exec(line)?.[1], Number(line.split(' ').at(-1))]),
  )
}

test('a failed publication is reported in one event, the configuration and metrics, is retried after pauses and blocks no other', async () => {
  const { tenant, path, caId } = await newPublisher()
  const other = await newPublisher()
  const setActive = async (active: boolean) => (await operatorOf(tenant)).put(`${ecosystemCas}/${caId}`, { active })
  const autoPublish = async () =>
    (await (await operatorOf(tenant)).get(`${path}/vicals/configuration`)).body.autoPublish
  moveTo('week')
  await (await operatorOf(tenant)).post('/v1/webhooks', { events: ['PublicationFailed'], url: 'https://hook.example/' })
  await setActive(false)
  const before = await vicalMetrics()
  await configure(tenant, path, daily)
  await configure(other.tenant, other.path, daily)
  expect(await vicalMetrics()).toMatchObject({ due: before.due! + 2, failing: before.failing! })
  await tick()
  expect(await numbersOf(path)).toEqual([[], []])
  expect(await numbersOf(other.path)).toEqual([[1], []])
  const { lastFailure } = await autoPublish()
  expect(lastFailure).toEqual({
    at: expect.any(String),
    reason: 'There is no active ecosystem CA that is valid now. Create or activate one.',
  })
  expect(await vicalMetrics()).toMatchObject({ failing: before.failing! + 1 })

  await tick()
  expect((await autoPublish()).lastFailure).toEqual(lastFailure)
  service.clock.advance(61_000)
  await tick()
  expect((await autoPublish()).lastFailure.at > lastFailure.at).toBe(true)
  // The event of the webhook waits once, as its reason did not change.
  const waiting = await service.deps.db.read.select().from(outbox).where(like(outbox.id, 'PublicationFailed.%'))
  expect(waiting.map(({ payload }) => payload)).toEqual([
    { tenantId: tenant.id, kind: 'change', subjectId: expect.stringMatching(`[.]${ecosystemOf(path)}[.]VICAL$`) },
  ])
  const { data } = (await (await operatorOf(tenant)).get('/v1/events?types=ECOSYSTEM_VICAL_PUBLICATION_FAILED')).body
  expect(data).toMatchObject([
    { category: 'ECOSYSTEMS', data: { ecosystemId: ecosystemOf(path), reason: lastFailure.reason } },
  ])

  await setActive(true)
  service.clock.advance(hourMs)
  await tick()
  expect(await numbersOf(path)).toEqual([[1], []])
  expect(await autoPublish()).toEqual({ ...daily, configuredAt: expect.any(String) })
  expect(await vicalMetrics()).toMatchObject({ failing: before.failing! })

  // A new configuration or a publication does not wait for the end of a pause.
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

test('an internal failure is retried by the queue and then recorded without its cause, and an outage is not recorded as a failure', async () => {
  const { tenant, path } = await newPublisher()
  moveTo('week')
  await configure(tenant, path, daily)
  const configuration = `${path}/vicals/configuration`
  // The signer is there then, so that the first transaction is the one that publishes.
  await (await operatorOf(tenant)).post(`${path}/vicals`)
  await queueDueTrustedLists(service.deps)
  const { payload } = (await queued()).find(({ data }) => data.payload.tenantId === tenant.id)!.data
  const failing = (run: RunWork) => {
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

test('a metric counts a list whose nextUpdate is near until the next list is published or the configuration is deleted', async () => {
  const { tenant, path } = await newPublisher()
  await configure(tenant, path)
  const publish = async () => (await operatorOf(tenant)).post(`${path}/vicals`)
  await publish()
  const ending = async () => (await vicalMetrics()).ending!
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

test('tenants are served round robin, however many due lists one of them has', async () => {
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

test('a list whose requesting process died before publication is removed and audited', async () => {
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

test('a clock that was ahead for a time does not prevent later publications', async () => {
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
