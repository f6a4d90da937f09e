import { and, eq, gte } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordEvents } from '../../db/record-events.ts'
import { certificates } from '../../db/tables/certificates/certificates.ts'
import { accessCertificates } from '../../db/tables/issuance/access-certificates.ts'
import { offerFailures } from '../../db/tables/issuance/offer-failures.ts'
import { offers } from '../../db/tables/issuance/offers.ts'
import { webhooks } from '../../db/tables/operations/webhooks.ts'
import { dayMs, minuteMs } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import { certifyAccess, newAccessAuthority, subject } from '../certificates/access-authority.ts'
import { iacas } from '../certificates/hierarchy.ts'
import { newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'
import { findTimedEventsNow, foundUntil, newWebhook } from '../harness/timed-events.ts'
import { type Receiver, startReceiver } from '../servers/receiver.ts'
import { newWallet } from '../wallets/wallet.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const find = () => findTimedEventsNow(service)
const payloads = (receiver: Receiver) => receiver.deliveries.map(({ body }) => body.event.payload)

test('an expired offer is sent once, and not if it was taken or the webhook was disabled', async () => {
  const tenant = await service.addTenant()
  const configurationId = await webConfiguration(tenant)
  await using receiver = await startReceiver()
  await using late = await startReceiver()
  const path = await newWebhook(tenant, receiver, ['OfferExpired'])
  const off = await newWebhook(tenant, late, ['OfferExpired'])
  await tenant.operator.put(off, { events: ['OfferExpired'], url: late.url, disabled: true })
  const { id } = await newOffer(tenant, [configurationId])
  const taken = await newOffer(tenant, [configurationId])
  await service.deps.db.tx(async (tx) => {
    await tx.update(offers).set({ state: 'spent' }).where(eq(offers.id, taken.id))
  })
  await find()
  expect(receiver.deliveries).toEqual([])

  service.clock.advance(30 * minuteMs)
  await find()
  await eventually(async () => receiver.deliveries.length === 1)
  expect(payloads(receiver)).toEqual([{ credentialOfferId: id }])
  // A run that was cut off before its commit finds the same event again.
  await service.deps.db.tx(async (tx) => {
    await tx
      .update(webhooks)
      .set({ foundUntil: new Date(0) })
      .where(eq(webhooks.tenantId, tenant.id))
  })
  await find()
  await tenant.operator.put(off, { events: ['OfferExpired'], url: late.url })
  const other = await newOffer(tenant, [configurationId])
  service.clock.advance(30 * minuteMs)
  await find()
  await eventually(async () => receiver.deliveries.length === 2 && late.deliveries.length === 1)
  expect(payloads(receiver)).toEqual([{ credentialOfferId: id }, { credentialOfferId: other.id }])
  expect(payloads(late)).toEqual([{ credentialOfferId: other.id }])

  expect(await foundUntil(service, path)).not.toBeNull()
  await tenant.operator.put(path, { events: ['CredentialRevoked'], url: receiver.url })
  expect(await foundUntil(service, path)).toBeNull()
})

test('a failed offer is sent once for each failure, and not if a later request made progress', async () => {
  const tenant = await service.addTenant()
  const configurationId = await webConfiguration(tenant)
  await using receiver = await startReceiver()
  await using other = await startReceiver()
  await newWebhook(tenant, receiver, ['OfferFailed'])
  await newWebhook(await service.addTenant(), other, ['OfferFailed'])
  const withCode = { transactionCodeConfiguration: { inputMode: 'numeric' } }
  const stuck = await newOffer(tenant, [configurationId], withCode)
  const retried = await newOffer(tenant, [configurationId], withCode)
  const { id, failedAt } = offerFailures
  const fail = async (offer: typeof stuck) => {
    const wallet = await newWallet(tenant, service.origin, offer.uri)
    const isStored = and(eq(id, offer.id), gte(failedAt, service.clock.now()))
    expect(await wallet.redeem({ tx_code: 'wrong' })).toMatchObject({ status: 400 })
    await eventually(async () => (await service.deps.db.read.$count(offerFailures, isStored)) === 1)
    return wallet
  }
  await fail(stuck)
  const wallet = await fail(retried)
  expect(await wallet.redeem({ tx_code: retried.transactionCode! })).toMatchObject({ status: 200 })
  await find()
  expect(receiver.deliveries).toEqual([])
  service.clock.advance(minuteMs)
  await find()
  await find()
  await eventually(async () => receiver.deliveries.length === 1)
  await fail(stuck)
  service.clock.advance(minuteMs)
  await find()
  await eventually(async () => receiver.deliveries.length === 2)
  const payload = { credentialOfferId: stuck.id, check: 'transaction_code' }
  expect(payloads(receiver)).toEqual([payload, payload])
  expect(new Set(receiver.deliveries.map(({ body }) => body.event.id)).size).toBe(2)
  expect(other.deliveries).toEqual([])
})

test('a failure that waited for a lock is recorded with a time after the wait, so that it is found', async () => {
  const tenant = await service.addTenant()
  const { id: offerId } = await newOffer(tenant, [await webConfiguration(tenant)])
  const { db, clock } = service.deps
  const startedAt = clock.now()
  let waits = 0
  const txAtOnce: typeof db.txAtOnce = (work, options) =>
    db.txAtOnce(async (tx) => {
      const result = await work(tx)
      if (waits++ === 0) service.clock.advance(8_000)
      return result
    }, options)
  const error = { check: 'transaction_code', type: 'invalid_grant', message: 'wrong' }
  const about = { category: 'OPENID', requestId: newId(), timestamp: startedAt.toISOString(), data: { error } }
  const event = { id: newId(), tenantId: tenant.id, offerId, type: 'OPENID_TOKEN_FAIL', ...about }
  await recordEvents({ db: { ...db, read: db.read, txAtOnce }, clock }, [event])
  const [failure] = await db.read.select().from(offerFailures).where(eq(offerFailures.id, offerId))
  expect([waits, failure?.failedAt]).toEqual([2, startedAt])
  expect(failure?.recordedAt?.getTime()).toBeGreaterThanOrEqual(startedAt.getTime() + 8_000)
})

test('certificates in use are sent 14 and 3 days before their end', async () => {
  const tenant = await service.addTenant()
  await using receiver = await startReceiver()
  await newWebhook(tenant, receiver, ['CertificateEnding'])
  // The signers of an IACA that is created active exist at once, and end later.
  const { body: root } = await tenant.operator.post(iacas, { commonName: 'Root', country: 'NZ', active: true })
  const { id } = root
  const accessId = await newAccessCertificate(tenant)
  const end = async (days: number) => {
    const notAfter = new Date(service.clock.now().getTime() + days * dayMs)
    await service.deps.db.tx(async (tx) => {
      await tx.update(certificates).set({ notAfter }).where(eq(certificates.id, id))
      await tx.update(accessCertificates).set({ notAfter }).where(eq(accessCertificates.id, accessId))
    })
    return notAfter.toISOString()
  }
  const endsAt = await end(14.01)
  await find()
  expect(receiver.deliveries).toEqual([])
  service.clock.advance(dayMs)
  await find()
  await eventually(async () => receiver.deliveries.length === 2)
  service.clock.advance(11 * dayMs)
  await find()
  await eventually(async () => receiver.deliveries.length === 4)
  const ids = payloads(receiver).map(({ certificateId }) => certificateId)
  expect(ids.sort()).toEqual([id, id, accessId, accessId].sort())
  expect(new Set(payloads(receiver).map((payload) => payload.endsAt))).toEqual(new Set([endsAt]))
  expect(new Set(receiver.deliveries.map(({ body }) => body.event.id)).size).toBe(4)
})

/** Returns the id of an active access certificate. */
async function newAccessCertificate({ operator }: TestTenant): Promise<string> {
  const path = '/v1/openid/access-certificates'
  const { body } = await operator.post(path, { subject })
  const { root } = await newAccessAuthority()
  const certificatePem = await certifyAccess(root, body.csrPem)
  expect(await operator.put(`${path}/${body.id}`, { active: true, certificatePem })).toMatchObject({ status: 200 })
  return body.id
}
