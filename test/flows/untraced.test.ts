import { afterAll, beforeAll, expect, test } from 'vitest'
import { offers } from '../../db/tables/issuance/offers.ts'
import { sessions } from '../../db/tables/issuance/sessions.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { startReceiver } from '../servers/receiver.ts'
import { newWallet } from '../wallets/wallet.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

test('while tracing is off, no row, job, webhook or error body has a trace', async () => {
  await using receiver = await startReceiver()
  const { db } = service.deps
  const webhook = { events: ['OpenIdCredentialIssued'], url: receiver.url }
  expect(await service.operator.post('/v1/webhooks', webhook, { traceparent })).toMatchObject({ status: 201 })
  const offer = await newOffer(service, [await compactConfiguration(service)])
  const wallet = await newWallet(service, service.origin, offer.uri)
  expect(await wallet.collect()).toMatchObject({ status: 200 })
  await eventually(async () => receiver.deliveries.length === 1)
  expect(receiver.deliveries[0]?.headers.traceparent).toBeUndefined()
  for (const table of [offers, sessions, deliveries]) {
    const rows = await db.read.select({ traceparent: table.traceparent }).from(table)
    expect(rows).toEqual([{ traceparent: null }])
  }
  const waiting = await db.read.select({ payload: outbox.payload }).from(outbox)
  expect(JSON.stringify(waiting)).not.toContain('traceparent')
  const refused = await service.operator.post('/v1/webhooks', {}, { traceparent })
  expect(refused.status).toBe(400)
  expect(refused.body).not.toHaveProperty('traceId')
})
