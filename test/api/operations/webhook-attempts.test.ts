import { createPublicKey, verify } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DeliveryAttempt, deliveries } from '../../../db/tables/operations/deliveries.ts'
import { newOffer, webConfiguration } from '../../harness/factories.ts'
import { eventually, type Service, startService } from '../../harness/harness.ts'
import { startReceiver } from '../../servers/receiver.ts'
import { newWallet } from '../../wallets/wallet.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ retryPausesMs: [50, 60_000] })
})
afterAll(() => service[Symbol.asyncDispose]())

/** Issues a credential to a wallet, whose event a receiver gets. */
async function deliver(status = 200) {
  const receiver = await startReceiver(() => ({ status }))
  const { body: webhook } = await service.operator.post('/v1/webhooks', {
    events: ['OpenIdCredentialIssued'],
    url: receiver.url,
  })
  const { body: user } = await service.operator.post('/v1/users', { claims: {} })
  const offer = await newOffer(service, [await webConfiguration(service)], { userId: user.id })
  await (await newWallet(service, service.origin, offer.uri)).collect()
  const path = `/v1/webhooks/${webhook.id}/deliveries`
  const delivery = await eventually(async () => {
    const [found] = (await service.operator.get(path)).body.data
    return found?.attempts.length > 0 && found
  })
  const attempt = `${path}/${delivery.id}/attempts/${delivery.attempts[0].id}`
  return { receiver, delivery, userId: user.id, attempt, [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose]() }
}

test('an attempt shows the request as it was sent, and the signed text verifies with the published key', async () => {
  await using sent = await deliver()
  const [received] = sent.receiver.deliveries
  const { status, body } = await service.operator.get(sent.attempt)
  expect([status, Object.keys(body).sort()]).toEqual([
    200,
    ['at', 'body', 'headers', 'id', 'method', 'signatureBase', 'url'],
  ])
  expect(body).toMatchObject({ method: 'POST', url: sent.receiver.url, body: received!.rawBody })
  expect(received!.headers).toMatchObject(body.headers)
  const { keys } = (await service.anonymous.get('/v1/webhooks/jwks')).body
  const signature = Buffer.from(body.headers.signature.slice('sig1=:'.length, -1), 'base64')
  const key = createPublicKey({ key: keys[0], format: 'jwk' })
  expect(verify(null, Buffer.from(body.signatureBase), key, signature)).toBe(true)
  // The list has no part of it, and the row has no content.
  expect(sent.delivery.attempts[0]).not.toHaveProperty('request')
  const [row] = await service.deps.db.read.select().from(deliveries).where(eq(deliveries.id, sent.delivery.id))
  expect(JSON.stringify(row)).not.toContain('credentialSubject')
})

test('the body is left out after the erasure of the user, and for another digest', async () => {
  await using sent = await deliver(500)
  const [row] = await service.deps.db.read.select().from(deliveries).where(eq(deliveries.id, sent.delivery.id))
  const wrong = row!.attempts.map((attempt) => ({
    ...attempt,
    request: { ...attempt.request!, digest: 'sha-256=:eA==:' },
  }))
  const store = (attempts: DeliveryAttempt[]) =>
    service.deps.db.tx(async (tx) => {
      await tx.update(deliveries).set({ attempts }).where(eq(deliveries.id, sent.delivery.id))
    })
  await store(wrong)
  expect((await service.operator.get(sent.attempt)).body).not.toHaveProperty('body')
  await store(row!.attempts)
  expect((await service.operator.get(sent.attempt)).body).toHaveProperty('body')
  await service.operator.delete(`/v1/users/${sent.userId}`)
  const { body } = await service.operator.get(sent.attempt)
  expect(body).not.toHaveProperty('body')
  expect(body).toMatchObject({ url: sent.receiver.url, signatureBase: expect.any(String) })
})

test('an attempt of an earlier version has no request, and other tenants, roles and ids are refused', async () => {
  await using sent = await deliver()
  const [row] = await service.deps.db.read.select().from(deliveries).where(eq(deliveries.id, sent.delivery.id))
  const attempts = row!.attempts.map(({ request: _request, ...attempt }) => attempt)
  await service.deps.db.tx(async (tx) => {
    await tx.update(deliveries).set({ attempts }).where(eq(deliveries.id, sent.delivery.id))
  })
  const { id, at } = attempts[0]!
  expect((await service.operator.get(sent.attempt)).body).toEqual({ id, at, method: 'POST' })
  expect((await service.anonymous.get(sent.attempt)).status).toBe(401)
  expect((await (await service.as('auditor')).get(sent.attempt)).status).toBe(403)
  expect((await (await service.addTenant()).operator.get(sent.attempt)).status).toBe(404)
  const unknown = `${sent.attempt.slice(0, -id.length)}${sent.delivery.id}`
  expect(await service.operator.get(unknown)).toMatchObject({
    status: 404,
    body: { details: [{ param: 'attemptId', location: 'params' }] },
  })
})
