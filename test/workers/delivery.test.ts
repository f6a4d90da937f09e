import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issuances } from '../../db/tables/issuance/issuances.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { outbox } from '../../db/tables/outbox.ts'
import { startWorkers } from '../../workers/start.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'
import { issueMany, issueOne } from '../harness/issued.ts'
import { runNow } from '../harness/run-now.ts'
import { type ReceiverAnswer, startReceiver, verify } from '../servers/receiver.ts'

let service: Service
beforeAll(async () => {
  service = await startService({ retryPausesMs: [40, 40] })
})
afterAll(() => service[Symbol.asyncDispose]())

const full = 'OpenIdCredentialIssued'
const summary = 'OpenIdCredentialIssuedSummary'

async function subscribe(tenant: TestTenant, url: string, events = [full]) {
  const { body } = await tenant.operator.post('/v1/webhooks', { events, url })
  const path = `/v1/webhooks/${body.id}`
  return {
    id: body.id as string,
    path,
    get: async () => (await tenant.operator.get(path)).body,
    deliveries: async () => (await tenant.operator.get(`${path}/deliveries`)).body.data,
    /** The first delivery, once it has the status and so many attempts. */
    delivery: (status: string, attempts = 1) =>
      eventually(async () => {
        const [found] = (await tenant.operator.get(`${path}/deliveries`)).body.data
        return found?.status === status && found.attempts.length === attempts && found
      }),
  }
}

/** Waits until all known events are delivered or not due. */
async function settled({ deps: { bus, db } } = service): Promise<void> {
  await eventually(async () => (await db.read.$count(outbox, eq(outbox.job, 'fanOut'))) === 0)
  await runNow(bus, 'queueDueDeliveries', 'delivery')
}
const secondsBetween = (from: string | Date, until: string) => (Date.parse(until) - new Date(from).getTime()) / 1_000

/** Has the workers of a service wait for receivers until they answer, instead of 3 s. */
async function waitForReceivers(own: Service): Promise<void> {
  const { outbound } = own.deps
  const request: typeof outbound.request = (given) => outbound.request({ ...given, timeoutMs: 600_000 })
  Object.assign(own.deps, { outbound: { ...outbound, request } })
  await own.workers.stop()
  await own.workers.start()
}

test('every subscribed webhook gets a signed event of an issued credential', async () => {
  const tenant = await service.addTenant()
  await using receiver = await startReceiver()
  const webhook = await subscribe(tenant, receiver.url, [full, summary])
  const issued = await issueOne(service, tenant.id)
  await eventually(async () => receiver.deliveries.length === 2)

  const jwks = (await tenant.anonymous.get('/v1/webhooks/jwks')).body
  const payload = {
    format: 'cwt',
    userId: issued.userId,
    credentialProfile: 'compact',
    credentialConfigurationId: issued.configurationId,
    credentialId: issued.credentialId,
    credentialOfferId: issued.offerId,
    sessionId: issued.sessionId,
  }
  for (const type of [full, summary]) {
    const received = receiver.deliveries.find(({ body }) => body.event.type === type)!
    expect(received.body).toEqual({
      deliveryId: expect.any(String),
      deliveryTimestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      webhookId: webhook.id,
      event: {
        id: expect.any(String),
        type,
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        payload: type === full ? { ...payload, credential: issued.credential } : payload,
      },
    })
    expect(received.headers).toMatchObject({
      'x-mattr-webhook-id': webhook.id,
      'x-mattr-event-type': type,
      'webhook-id': received.body.event.id,
      'webhook-timestamp': String(Math.floor(Date.parse(received.body.deliveryTimestamp) / 1000)),
      'content-type': 'application/json',
    })
    expect(received.headers['signature-input']).toMatch(
      /^sig1=\("@request-target" "@method" "@authority" "content-digest" [^)]*\);created=\d+;keyid="[^"]+";alg="ed25519"$/,
    )
    expect(await verify(received, jwks)).toBe(true)
    expect(await verify({ ...received, rawBody: received.rawBody.replace('cwt', 'cwu') }, jwks)).toBe(false)
    const elsewhere = { ...received.headers, host: 'another.example' }
    expect(await verify({ ...received, headers: elsewhere }, jwks)).toBe(false)
  }
})

test.concurrent('other webhooks get no event', async () => {
  const [tenant, other] = [await service.addTenant(), await service.addTenant()]
  await using receiver = await startReceiver()
  await using stranger = await startReceiver()
  await subscribe(tenant, receiver.url)
  await subscribe(other, stranger.url)
  await issueOne(service, tenant.id)
  await eventually(async () => receiver.deliveries.length === 1)
  await settled()
  expect(stranger.deliveries).toEqual([])
})

test.concurrent('repeated jobs make no second delivery and no second request', async () => {
  const tenant = await service.addTenant()
  await using receiver = await startReceiver()
  const webhook = await subscribe(tenant, receiver.url)
  const { issuanceId } = await issueOne(service, tenant.id)
  const { id } = await webhook.delivery('delivered')
  const ref = { tenantId: tenant.id, webhookId: webhook.id, queuedUntil: Date.now() }
  for (let again = 0; again < 3; again++) {
    await service.deps.bus.send('fanOutIssuances', { items: [{ tenantId: tenant.id, issuanceId }] })
    await service.deps.bus.send('deliverWebhooks', { items: [{ ...ref, deliveryId: id }] })
  }
  await settled()
  expect(receiver.deliveries).toHaveLength(1)
  expect(await webhook.deliveries()).toHaveLength(1)
})

test.concurrent('attempts at a failing receiver have the same event id until the schedule ends, and a replay restarts the schedule', async () => {
  const tenant = await service.addTenant()
  let status = 500
  await using receiver = await startReceiver(() => ({ status }))
  const webhook = await subscribe(tenant, receiver.url)
  await issueOne(service, tenant.id)
  const failed = await webhook.delivery('failed', 3)
  expect(failed.nextAttemptAt).toBeUndefined()
  expect(failed.attempts.map((attempt: { status: number }) => attempt.status)).toEqual([500, 500, 500])

  const seen = (look: (one: (typeof receiver.deliveries)[number]) => string) =>
    new Set(receiver.deliveries.map(look)).size
  expect(seen(({ body }) => body.event.id)).toBe(1)
  expect(seen(({ headers }) => headers['webhook-id']!)).toBe(1)
  expect(seen(({ body }) => body.deliveryId)).toBe(3)
  expect(seen(({ headers }) => headers.signature!)).toBe(3)

  await tenant.operator.post(`${webhook.path}/deliveries/${failed.id}/replay`)
  await webhook.delivery('failed', 6)
  status = 204
  await tenant.operator.post(`${webhook.path}/deliveries/${failed.id}/replay`)
  await webhook.delivery('delivered', 7)
  expect(seen(({ body }) => body.event.id)).toBe(1)
})

test.concurrent('after 429 the next attempt waits for a minute', async () => {
  const tenant = await service.addTenant()
  await using receiver = await startReceiver(() => ({ status: 429 }))
  const webhook = await subscribe(tenant, receiver.url)
  await issueOne(service, tenant.id)
  const { attempts, nextAttemptAt } = await webhook.delivery('pending', 1)
  expect(secondsBetween(attempts[0].at, nextAttemptAt)).toBeGreaterThan(30)
  expect(secondsBetween(service.clock.now(), nextAttemptAt)).toBeLessThan(75)
})

test.concurrent('Retry-After of a receiver sets the time of the next attempt', async () => {
  const tenant = await service.addTenant()
  await using receiver = await startReceiver(() => ({ status: 503, headers: { 'retry-after': '3600' } }))
  const webhook = await subscribe(tenant, receiver.url)
  await issueOne(service, tenant.id)
  const { attempts, nextAttemptAt } = await webhook.delivery('pending', 1)
  expect(secondsBetween(attempts[0].at, nextAttemptAt)).toBeGreaterThan(3500)
  expect(secondsBetween(service.clock.now(), nextAttemptAt)).toBeLessThan(3601)
})

test.concurrent('a receiver that answers 410 gets no further attempt', async () => {
  const tenant = await service.addTenant()
  const answers: ReceiverAnswer[] = [{ status: 503, headers: { 'retry-after': '3600' } }]
  await using receiver = await startReceiver(() => answers.pop() ?? { status: 410 })
  const webhook = await subscribe(tenant, receiver.url)
  await issueOne(service, tenant.id)
  await webhook.delivery('pending', 1)
  await issueOne(service, tenant.id)
  await eventually(async () => (await webhook.get()).disabled)
  const states = (await webhook.deliveries()).map(({ status, nextAttemptAt }: Record<string, string>) => [
    status,
    nextAttemptAt,
  ])
  expect(states).toEqual([
    ['failed', undefined],
    ['failed', undefined],
  ])
  await issueOne(service, tenant.id)
  await settled()
  expect(receiver.deliveries).toHaveLength(2)
})

test.concurrent.each(['disabled', 'deleted'])('a webhook that is %s before the next attempt gets none', async (how) => {
  const tenant = await service.addTenant()
  const [asked, changed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await using receiver = await startReceiver(async () => {
    asked.resolve()
    await changed.promise
    return { status: 500 }
  })
  const webhook = await subscribe(tenant, receiver.url)
  await issueOne(service, tenant.id)
  await asked.promise
  if (how === 'deleted') await tenant.operator.delete(webhook.path)
  else await tenant.operator.put(webhook.path, { events: [full], url: receiver.url, disabled: true })
  changed.resolve()
  if (how === 'disabled') await webhook.delivery('failed', 1)
  await settled()
  expect(receiver.deliveries).toHaveLength(1)
  if (how === 'deleted') expect(await tenant.operator.get(`${webhook.path}/deliveries`)).toMatchObject({ status: 404 })
})

test.concurrent('a redirect counts as a failed answer, and only the beginning of an answer is stored', async () => {
  const tenant = await service.addTenant()
  await using elsewhere = await startReceiver()
  await using receiver = await startReceiver(() => ({
    status: 307,
    headers: { location: elsewhere.url },
    body: 'a'.repeat(10_000),
  }))
  const webhook = await subscribe(tenant, receiver.url)
  await issueOne(service, tenant.id)
  const { id, attempts } = await webhook.delivery('failed', 3)
  expect(attempts[0].status).toBe(307)
  expect(elsewhere.deliveries).toEqual([])
  const [row] = await service.deps.db.read.select().from(deliveries).where(eq(deliveries.id, id))
  expect(row!.attempts[0]!.answer).toBe('a'.repeat(1024))
})

test.concurrent('a slow receiver delays only its own tenant', async () => {
  await using own = await startService()
  await waitForReceivers(own)
  const slow = await own.addTenant()
  const { promise: mayAnswer, resolve: letAnswer } = Promise.withResolvers<void>()
  // It is reliable until it stops answering, so that it gets as many slots as possible.
  await using sluggish = await startReceiver(async () => {
    if (sluggish.deliveries.length > 10) await mayAnswer
    return {}
  })
  await using prompt = await startReceiver()
  await subscribe(slow, sluggish.url)
  await subscribe(own, prompt.url)
  await issueMany(own, slow.id, 300)
  await eventually(async () => sluggish.deliveries.length > 10)

  // Behind the deliveries of the other tenant, these would not be sent before its receiver answers.
  for (let round = 0; round < 5; round++) {
    await issueOne(own)
    await eventually(async () => prompt.deliveries.length === round + 1)
  }
  expect(sluggish.deliveries.length).toBeLessThan(300)
  letAnswer()
})

test.concurrent.each([
  ['what Redis lost is sent', true],
  ['what waits on a queue for long is not sent twice', false],
])('%s', async (_, isLost) => {
  await using own = await startService()
  await waitForReceivers(own)
  const { promise: mayAnswer, resolve: letAnswer } = Promise.withResolvers<void>()
  await using receiver = await startReceiver(() => mayAnswer.then(() => ({})))
  const webhook = await subscribe(own, receiver.url)
  await own.workers.stop()
  await own.operator.post(`${webhook.path}/test`)
  const relay = await startWorkers(['relay'], { ...own.deps, broker: own.broker })
  const queue = own.deps.bus.queue('delivery')
  await eventually(async () => (await queue.getJobs('waiting')).some(({ name }) => name === 'deliverWebhooks'))
  await relay.stop()
  if (isLost) await queue.obliterate({ force: true })

  own.clock.advance(76_000)
  await own.workers.start()
  if (!isLost) await eventually(async () => receiver.deliveries.length > 0)
  await runNow(own.deps.bus, 'recoverDeliveries')
  await runNow(own.deps.bus, 'queueDueDeliveries')
  await eventually(async () => receiver.deliveries.length > 0)
  // A second job would be running before the first attempt ends.
  await eventually(async () => (await queue.getJobs(['waiting', 'prioritized'])).length === 0)
  letAnswer()
  await webhook.delivery('delivered', 1)
  await settled(own)
  expect(receiver.deliveries).toHaveLength(1)
})

test.concurrent('a signing outage does not count as a failure of the receiver', async () => {
  await using own = await startService()
  await using receiver = await startReceiver()
  const webhook = await subscribe(own, receiver.url)
  await own.workers.stop()
  const withoutSigning = await startWorkers(['relay', 'delivery'], { ...own.deps, broker: own.broker })
  await issueOne(own)
  await eventually(async () => (await webhook.deliveries()).length === 1)
  // It completes its running work: the attempt finds no signing process.
  await withoutSigning.stop()
  expect((await webhook.deliveries())[0]).toMatchObject({ status: 'pending', attempts: [] })
  await own.workers.start()
  await webhook.delivery('delivered', 1)
  expect(receiver.deliveries).toHaveLength(1)
})

test.concurrent('an erased credential is not delivered', async () => {
  const tenant = await service.addTenant()
  await using receiver = await startReceiver(() => ({ status: 500 }))
  const webhook = await subscribe(tenant, receiver.url)
  await issueOne(service, tenant.id)
  const { id } = await webhook.delivery('failed', 3)
  await service.deps.db.tx(async (tx) => {
    await tx.update(issuances).set({ credentials: null }).where(eq(issuances.tenantId, tenant.id))
  })
  await tenant.operator.post(`${webhook.path}/deliveries/${id}/replay`)
  await webhook.delivery('failed', 3)
  await settled()
  expect(receiver.deliveries).toHaveLength(3)
})

test('a receiver that does not answer within 3 s, or is unreachable, has failed', async () => {
  const tenant = await service.addTenant()
  const receiver = await startReceiver(() => new Promise<never>(() => {}))
  const webhook = await subscribe(tenant, receiver.url)
  await issueOne(service, tenant.id)
  const { attempts, nextAttemptAt } = await webhook.delivery('pending', 1)
  expect(secondsBetween(attempts[0].at, nextAttemptAt)).toBeGreaterThan(30)
  expect(secondsBetween(service.clock.now(), nextAttemptAt)).toBeLessThan(75)
  expect(attempts[0]).toEqual({
    id: expect.any(String),
    at: expect.any(String),
    durationMs: expect.any(Number),
    error: 'The call timed out',
  })
  expect(attempts[0].durationMs).toBeGreaterThan(2_900)
  await receiver[Symbol.asyncDispose]()
  service.clock.advance(75_000)
  const failed = await webhook.delivery('failed', 3)
  expect(failed.attempts[2].error).toContain('ECONNREFUSED')
})
