import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordOfferFailure } from '../../../db/repos/issuance/offers/offer-failures.ts'
import { addOutcomes, findEndedOffers } from '../../../db/repos/operations/issuance-outcomes.ts'
import { addIssued, dayOf, findIssuedDays } from '../../../db/repos/operations/issued-days.ts'
import { startOfRecentHours } from '../../../db/repos/operations/recent-offers.ts'
import { offers } from '../../../db/tables/issuance/offers.ts'
import type { IssuanceOutcome } from '../../../db/tables/operations/issuance-outcomes.ts'
import { hourMs, plusMs } from '../../../shared/clock.ts'
import { compactConfiguration, newOffer, webConfiguration } from '../../harness/factories.ts'
import { avoidEndOfHour, type Service, startService, type TestTenant } from '../../harness/harness.ts'

const day = 86_400_000

let service: Service
/** A tenant without data. It must not see data of others. */
let otherTenant: TestTenant
beforeAll(async () => {
  service = await startService({ roles: ['signing', 'analytics'] })
  otherTenant = await service.addTenant()
})
afterAll(() => service[Symbol.asyncDispose]())

const overview = async ({ operator }: Pick<TestTenant, 'operator'>, what: string) => {
  const { status, body } = await operator.get(`/v1/overview/${what}`)
  expect(status).toBe(200)
  return body
}
const dateOf = (at: Date) => at.toISOString().slice(0, 10)
const none = { failed: 0, expired: 0 }

test('issuances are counted per day in UTC, including days without any', async () => {
  const tenant = await service.addTenant()
  const today = dayOf(service.clock.now())
  const add = (...times: Date[]) =>
    service.deps.db.tx((tx) =>
      addIssued(
        tx,
        times.map((at) => ({ tenantId: tenant.id, at })),
      ),
    )
  await add(today, plusMs(today, day - 1), plusMs(today, -1))
  await add(plusMs(today, -1), plusMs(today, -29 * day), plusMs(today, -29 * day - 1))
  const { data, total } = await overview(tenant, 'issuances')
  expect(data).toHaveLength(30)
  const some = data.filter(({ issued }: { issued: number }) => issued > 0)
  expect(some).toEqual([
    { day: dateOf(plusMs(today, -29 * day)), issued: 1, ...none },
    { day: dateOf(plusMs(today, -day)), issued: 2, ...none },
    { day: dateOf(today), issued: 2, ...none },
  ])
  expect([data.indexOf(some[0]), data.indexOf(some[2]), total]).toEqual([0, 29, 5])
  expect((await overview(tenant, 'issuances?days=31')).total).toBe(6)
  expect(await overview(tenant, 'issuances?days=1')).toEqual({ data: [some[2]], total: 2, configurations: [] })
  expect((await overview(otherTenant, 'issuances?days=366')).total).toBe(0)
  for (const days of ['0', '367', 'all', '-1', '1.5', '']) {
    const refused = await tenant.operator.get(`/v1/overview/issuances?days=${days}`)
    expect(refused).toMatchObject({ status: 400, body: { details: [{ param: 'days', location: 'query' }] } })
  }
})

test('no days are counted for a deleted tenant', async () => {
  const [id, at] = [randomUUID(), service.clock.now()]
  await service.deps.db.tx(async (tx) => {
    await addIssued(tx, [{ tenantId: id, at }])
    await addOutcomes(tx, [{ tenantId: id, at, outcome: 'failed', configurationId: undefined }])
  })
  expect(await findIssuedDays(service.deps.db.read, id, plusMs(at, -day))).toEqual([])
  expect(await findEndedOffers(service.deps.db.read, id, plusMs(dayOf(at), -day), dayOf(at))).toEqual([])
})

test('outcomes are counted per day, and issuances by the five most used configurations', async () => {
  const tenant = await service.addTenant()
  const named = await webConfiguration(tenant, { name: 'Student card' })
  const gone = Array.from({ length: 5 }, () => randomUUID())
  const today = dayOf(service.clock.now())
  const add = (outcome: IssuanceOutcome, configurationId: string | undefined, ...daysAgo: number[]) =>
    service.deps.db.tx((tx) =>
      addOutcomes(
        tx,
        daysAgo.map((days) => ({ tenantId: tenant.id, at: plusMs(today, -days * day), outcome, configurationId })),
      ),
    )
  await add('issued', named, 0, 0, 1, 2, 2, 2)
  for (const [place, id] of gone.entries()) await add('issued', id, ...Array.from({ length: 5 - place }, () => 1))
  await add('issued', undefined, 0, 0, 0, 0, 0, 0, 0)
  await add('issued', gone[4], ...Array.from({ length: 9 }, () => 3))
  // A worker whose clock was ahead counted on a later day.
  await add('issued', named, -1, -4)
  await add('failed', undefined, 0, 2, 2, -1)
  await add('expired', undefined, 1, 3)
  const { data, configurations } = await overview(tenant, 'issuances?days=3')
  expect(data).toEqual([
    { day: dateOf(plusMs(today, -2 * day)), issued: 0, failed: 2, expired: 0 },
    { day: dateOf(plusMs(today, -day)), issued: 0, failed: 0, expired: 1 },
    { day: dateOf(today), issued: 0, failed: 1, expired: 0 },
  ])
  expect(configurations).toEqual([
    { configurationId: named, name: 'Student card', issued: [3, 1, 2] },
    ...gone.slice(0, 4).map((configurationId, place) => ({ configurationId, issued: [0, 5 - place, 0] })),
  ])
  const roles = ['issuer', 'managed-issuer', 'viewer', 'auditor']
  for (const role of roles)
    expect((await overview({ operator: await tenant.as(role) }, 'issuances?days=3')).configurations).toHaveLength(5)
  const refused = await (await tenant.as('dts-consumer')).get('/v1/overview/issuances')
  expect(refused.status).toBe(403)
  expect(await overview(otherTenant, 'issuances?days=1')).toMatchObject({ data: [none], configurations: [] })
})

test('offers are counted per hour by outcome, and their failures are those of the counts', async () => {
  avoidEndOfHour(service)
  const tenant = await service.addTenant()
  const configurationId = await compactConfiguration(tenant)
  const at = service.clock.now()
  const hour = startOfRecentHours(at)
  const set = async (changed: Partial<typeof offers.$inferInsert>) => {
    const { id } = await newOffer(tenant, [configurationId])
    await service.deps.db.tx((tx) => tx.update(offers).set(changed).where(eq(offers.id, id)))
    return id
  }
  const fail = async (changed: Partial<typeof offers.$inferInsert>) => {
    const id = await set(changed)
    const failure = { requestId: randomUUID(), check: 'claims' as const, reason: 'x', failedAt: at }
    await service.deps.db.tx((tx) => recordOfferFailure(tx, tenant.id, id, failure, ['usable', 'spent'], at))
    return id
  }
  await newOffer(tenant, [configurationId])
  await set({ state: 'claimed', createdAt: hour })
  await set({ state: 'claimed', createdAt: plusMs(hour, -1) })
  await set({ createdAt: plusMs(hour, 3 * hourMs), expiresAt: at })
  await set({ createdAt: plusMs(hour, 3 * hourMs), expiresAt: at, claimLinkId: randomUUID() })
  await fail({ state: 'spent', createdAt: plusMs(hour, 2 * hourMs - 1) })
  await fail({ createdAt: plusMs(hour, 2 * hourMs), expiresAt: at })
  await fail({ createdAt: plusMs(hour, -1) })
  const collected = await fail({ state: 'spent' })
  await service.deps.db.tx((tx) => tx.update(offers).set({ state: 'claimed' }).where(eq(offers.id, collected)))

  const { data, isAtLeast } = await overview(tenant, 'offers')
  const empty = { collected: 0, failed: 0, expired: 0, open: 0 }
  const expected = Array.from({ length: 24 }, (_, place) => ({
    from: plusMs(hour, place * hourMs).toISOString(),
    ...empty,
  }))
  Object.assign(expected[0]!, { collected: 1 })
  Object.assign(expected[1]!, { failed: 1 })
  Object.assign(expected[2]!, { failed: 1 })
  Object.assign(expected[3]!, { expired: 1 })
  Object.assign(expected[23]!, { collected: 1, open: 1 })
  expect([data, isAtLeast]).toEqual([expected, false])
  const failed = data.reduce((sum: number, each: { failed: number }) => sum + each.failed, 0)
  expect((await overview(tenant, 'counts')).failedOffers).toEqual({ count: failed, isAtLeast: false })
  for (const each of (await overview(otherTenant, 'offers')).data) expect(each).toMatchObject(empty)
  expect((await (await tenant.as('dts-consumer')).get('/v1/overview/offers')).status).toBe(403)
})
