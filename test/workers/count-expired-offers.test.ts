import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { offerFailures } from '../../db/tables/issuance/offer-failures.ts'
import { offers } from '../../db/tables/issuance/offers.ts'
import { walks } from '../../db/tables/operations/walks.ts'
import { dayMs, minuteMs, plusMs } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import { countExpiredOffers } from '../../workers/publishing/count-expired-offers.ts'
import { newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'
import { runNow } from '../harness/run-now.ts'
import { newWallet } from '../wallets/wallet.ts'

/** Offers are counted when no wallet can collect them any more. */
const settledMs = 101 * minuteMs

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const count = () => runNow(service.deps.bus, 'countExpiredOffers')

/** Returns the sums of all days. */
async function outcomesOf({ operator }: TestTenant) {
  const { status, body } = await operator.get('/v1/overview/issuances?days=3')
  expect(status).toBe(200)
  const sum = (name: string) => body.data.reduce((all: number, each: Record<string, number>) => all + each[name]!, 0)
  return { issued: sum('issued'), failed: sum('failed'), expired: sum('expired'), configurations: body.configurations }
}

test('an offer that is collected, or fails, after its expiry has one outcome', async () => {
  const tenant = await service.addTenant()
  const configurationId = await webConfiguration(tenant)
  const [late, failing] = [await newOffer(tenant, [configurationId]), await newOffer(tenant, [configurationId])]
  service.clock.advance(4.5 * minuteMs)
  const wallets = await Promise.all([late, failing].map(({ uri }) => newWallet(tenant, service.origin, uri)))
  for (const wallet of wallets) expect(await wallet.redeem()).toMatchObject({ status: 200 })
  expect(await wallets[0]!.requestCredential({ proofs: undefined })).toMatchObject({ status: 400 })
  service.clock.advance(minuteMs)
  await count()
  expect(await wallets[0]!.requestCredential()).toMatchObject({ status: 200 })
  expect(await wallets[1]!.requestCredential({ proofs: undefined })).toMatchObject({ status: 400 })
  const ofFailing = eq(offerFailures.id, failing.id)
  await eventually(async () => (await service.deps.db.read.$count(offerFailures, ofFailing)) === 1)
  service.clock.advance(settledMs)
  await count()
  await eventually(async () => (await outcomesOf(tenant)).issued === 1)
  expect(await outcomesOf(tenant)).toMatchObject({ issued: 1, failed: 1, expired: 0 })
  // The proofs of wallets have the time of the machine.
  service.clock.advance(-settledMs - 5.5 * minuteMs)
})

test('each offer has one outcome: it is collected, or it fails, or it expires', async () => {
  const tenant = await service.addTenant()
  const configurationId = await webConfiguration(tenant)
  const withCode = { transactionCodeConfiguration: { inputMode: 'numeric' } }
  await newOffer(tenant, [configurationId])
  await newOffer(tenant, [configurationId, await webConfiguration(tenant, { type: 'Other' })])
  const failing = await newOffer(tenant, [configurationId], withCode)
  const collected = await newOffer(tenant, [configurationId], withCode)
  for (const offer of [failing, collected]) {
    const wallet = await newWallet(tenant, service.origin, offer.uri)
    expect(await wallet.redeem({ tx_code: 'wrong' })).toMatchObject({ status: 400 })
  }
  const ofTenant = eq(offerFailures.tenantId, tenant.id)
  await eventually(async () => (await service.deps.db.read.$count(offerFailures, ofTenant)) === 2)
  const wallet = await newWallet(tenant, service.origin, collected.uri)
  expect(await wallet.redeem({ tx_code: collected.transactionCode! })).toMatchObject({ status: 200 })
  expect(await wallet.requestCredential()).toMatchObject({ status: 200 })
  const name = 'Course certificate'
  const configurations = [{ configurationId, name, issued: [0, 0, 1] }]
  await eventually(async () => (await outcomesOf(tenant)).issued === 1)
  await count()
  expect(await outcomesOf(tenant)).toEqual({ issued: 1, failed: 0, expired: 0, configurations })

  service.clock.advance(settledMs)
  await count()
  await count()
  const outcomes = { issued: 1, failed: 1, expired: 2 }
  expect(await outcomesOf(tenant)).toMatchObject(outcomes)
  // The purge of the offers changes no count.
  service.clock.advance(dayMs + minuteMs)
  await runNow(service.deps.bus, 'purgeExpired')
  await count()
  // The tokens of the test have expired at that time.
  service.clock.advance(-dayMs - minuteMs)
  expect(await outcomesOf(tenant)).toMatchObject(outcomes)
  const { operator } = await service.addTenant()
  const { body } = await operator.get('/v1/overview/issuances?days=3')
  expect(body).toMatchObject({ total: 0, configurations: [] })
  expect(body.data.every((each: object) => 'expired' in each && each.expired === 0)).toBe(true)
})

test('offers that expire together are counted once over pages, and by runs at the same time', async () => {
  const [tenant, other] = [await service.addTenant(), await service.addTenant()]
  const { db } = service.deps
  for (const [each, copies] of [
    [tenant, 9],
    [other, 4],
  ] as const) {
    const { id } = await newOffer(each, [await webConfiguration(each)])
    const [offer] = await db.read.select().from(offers).where(eq(offers.id, id))
    const rows = Array.from({ length: copies }, (_, place) => {
      const expiresAt = plusMs(offer!.expiresAt, place % 3)
      return { ...offer!, id: newId(), codeHash: newId(), expiresAt, state: place === 0 ? 'spent' : offer!.state }
    })
    await db.tx(async (tx) => {
      await tx.insert(offers).values(rows as typeof rows & { state: 'usable' }[])
    })
  }
  service.clock.advance(settledMs)
  const run = () => countExpiredOffers(service.deps, { runMs: 60_000, pageSize: 2 })
  await Promise.all([run(), run(), run()])
  await run()
  expect(await outcomesOf(tenant)).toMatchObject({ failed: 0, expired: 9 })
  expect(await outcomesOf(other)).toMatchObject({ failed: 0, expired: 4 })
})

test('a run without time continues at the next page', async () => {
  const tenant = await service.addTenant()
  const configurationId = await webConfiguration(tenant)
  for (let made = 0; made < 3; made++) await newOffer(tenant, [configurationId])
  await service.workers.stop()
  service.clock.advance(settledMs)
  const cursor = async () => (await service.deps.db.read.select().from(walks).where(eq(walks.id, 'expired_offers')))[0]
  const counts: number[] = []
  for (let runs = 0; runs < 4; runs++) {
    const before = await cursor()
    await countExpiredOffers(service.deps, { runMs: 0, pageSize: 1 })
    counts.push((await outcomesOf(tenant)).expired)
    expect((await cursor())?.cursor === before?.cursor).toBe(runs === 3)
  }
  expect(counts).toEqual([1, 2, 3, 3])
})
