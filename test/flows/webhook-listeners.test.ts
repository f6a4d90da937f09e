import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { and, eq, isNull } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { serverSentEvents } from '../../api/cli/trustwright/server-sent-events.ts'
import { insertListenerRequest } from '../../db/repos/operations/webhooks/listeners.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { webhooks } from '../../db/tables/operations/webhooks.ts'
import { createTrustwright, dataOf, itemsOf, type Trustwright } from '../../shared/client/client.ts'
import { plusMs } from '../../shared/clock.ts'
import type { ListenerRequest } from '../../shared/domain/operations/listeners.ts'
import { newOrderedId } from '../../shared/ids.ts'
import { listenerRequestContext } from '../../shared/secrets/stored-contexts.ts'
import { recoverDeliveries } from '../../workers/upkeep/recover-deliveries.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'
import { issueMany } from '../harness/issued.ts'

const forwardTo = 'http://localhost:4000/hooks?source=trustwright'
const event = 'OpenIdCredentialIssuedSummary' as const

let service: Service
beforeAll(async () => {
  service = await startService({ retryPausesMs: [200, 200, 200, 200, 200, 200, 200, 200] })
})
// The events of a test go to each listener of the tenant.
afterEach(async () => {
  const { id: tenantId, deps } = service
  const made = await deps.db.read.select({ id: webhooks.id }).from(webhooks).where(eq(webhooks.tenantId, tenantId))
  for (const { id } of made) await service.operator.delete(`/v1/webhooks/${id}`)
})
afterAll(() => service[Symbol.asyncDispose]())

const clientOf = ({ baseUrl, clientId, clientSecret }: TestTenant) =>
  createTrustwright({ baseUrl, clientId, clientSecret })

async function newListener(client: Trustwright): Promise<string> {
  return (await dataOf(client.POST('/v1/webhooks/listeners', { body: { forwardTo, events: [event] } }))).id
}

interface Received {
  id: string
  request: ListenerRequest
}

/** Opens the stream of a listener. Leaving the loop breaks the connection. */
async function* open(client: Trustwright, listenerId: string, lastEventId?: string): AsyncGenerator<Received> {
  const ending = new AbortController()
  const headers = { ...(lastEventId !== undefined && { 'Last-Event-ID': lastEventId }) }
  const init = { params: { path: { listenerId } }, parseAs: 'stream', headers, signal: ending.signal } as const
  const stream = await dataOf(client.GET('/v1/webhooks/listeners/{listenerId}/stream', init))
  try {
    for await (const { id, data } of serverSentEvents(stream as unknown as ReadableStream<Uint8Array>))
      yield { id: id ?? '', request: JSON.parse(data) }
  } finally {
    ending.abort()
  }
}

function answer(
  client: Trustwright,
  listenerId: string,
  requestId: string,
  body: { status: number } | { error: string },
) {
  const params = { path: { listenerId, requestId } }
  return client.POST('/v1/webhooks/listeners/{listenerId}/requests/{requestId}/answer', { params, body })
}

async function deliveriesOf(client: Trustwright, webhookId: string) {
  const deliveries = []
  const path = { webhookId }
  for await (const each of itemsOf((page) =>
    client.GET('/v1/webhooks/{webhookId}/deliveries', { params: { path, query: { limit: 1000, ...page } } }),
  ))
    deliveries.push(each)
  return deliveries
}

const trigger = (client: Trustwright, webhookId: string) =>
  client.POST('/v1/webhooks/{webhookId}/test', { params: { path: { webhookId } } })

test('a listener streams requests that are signed for the local address, and its answers are attempts', async () => {
  const client = clientOf(service)
  const listenerId = await newListener(client)
  await trigger(client, listenerId)
  const statuses = [500, 200]
  for await (const { id, request } of open(client, listenerId)) {
    const { method, target, headers, body } = request
    const webhook = { method, target, headers: { ...headers, host: 'localhost:4000' }, body }
    expect(await client.verifyWebhook(webhook)).toMatchObject({ webhookId: listenerId, event: { type: event } })
    const elsewhere = { ...webhook, headers: { ...headers, host: 'localhost:4001' } }
    await expect(client.verifyWebhook(elsewhere)).rejects.toThrow('signature is wrong')
    const [status = 0] = statuses.splice(0, 1)
    expect((await answer(client, listenerId, id, { status })).response.status).toBe(204)
    // A request is answered once.
    expect((await answer(client, listenerId, id, { status })).response.status).toBe(404)
    if (statuses.length === 0) break
  }
  await expect
    .poll(() => deliveriesOf(client, listenerId))
    .toMatchObject([
      { status: 'delivered', attempts: [{ status: 500 }, { status: 200, durationMs: expect.any(Number) }] },
    ])
})

test('a receiver that cannot be reached is a failed attempt', async () => {
  const client = clientOf(service)
  const listenerId = await newListener(client)
  await trigger(client, listenerId)
  const reports = [{ error: 'connect ECONNREFUSED' }, { status: 410 }]
  for await (const { id } of open(client, listenerId)) {
    await answer(client, listenerId, id, reports.shift()!)
    if (reports.length === 0) break
  }
  await expect
    .poll(() => deliveriesOf(client, listenerId))
    .toMatchObject([{ status: 'failed', attempts: [{ error: 'connect ECONNREFUSED' }, { status: 410 }] }])
})

test('streams that break lose no event, and each is delivered as one delivery', async () => {
  const client = clientOf(service)
  const listenerId = await newListener(client)
  // `LISTENED_EVENTS=1000` is the full proof.
  const count = Number(process.env.LISTENED_EVENTS ?? 40)
  await issueMany(service, service.id, count)
  const answered = new Set<string>()
  let streams = 0
  while (answered.size < count) {
    streams++
    let left = count / 5
    for await (const { id, request } of open(client, listenerId)) {
      // The connection breaks after the last event arrived and before it is answered.
      if (--left === 0 && streams < 6) break
      const { response } = await answer(client, listenerId, id, { status: 200 })
      if (response.status === 204) answered.add(JSON.parse(request.body).event.id)
      if (answered.size === count) break
    }
  }
  expect(streams).toBeGreaterThan(4)
  await expect
    .poll(async () => (await deliveriesOf(client, listenerId)).map(({ status }) => status))
    .toEqual(Array(count).fill('delivered'))
})

test('a stream that is opened again has each request without an answer, also one of a worker whose clock is behind', async () => {
  const client = clientOf(service)
  const listenerId = await newListener(client)
  await trigger(client, listenerId)
  const { deps, id: tenantId } = service
  const createdAt = plusMs(new Date(), -5_000)
  const late = newOrderedId(createdAt)
  let lastEventId = ''
  for await (const { id, request } of open(client, listenerId)) {
    const sealedRequest = deps.secrets.seal(JSON.stringify(request), listenerRequestContext(late))
    const row = { id: late, tenantId, webhookId: listenerId, sealedRequest, createdAt }
    await deps.db.tx((tx) => insertListenerRequest(tx, row))
    expect(late < id).toBe(true)
    lastEventId = id
    break
  }
  const received: string[] = []
  // Clients of earlier versions send the id of the last event.
  for await (const { id } of open(client, listenerId, lastEventId)) {
    received.push(id)
    await answer(client, listenerId, id, { status: 200 })
    if (received.length === 2) break
  }
  expect(received[0]).toBe(late)
  await expect.poll(() => deliveriesOf(client, listenerId)).toMatchObject([{ status: 'delivered' }])
})

test('without a stream deliveries wait, and the listener is removed after a minute', async () => {
  const client = clientOf(service)
  const listenerId = await newListener(client)
  service.clock.advance(20_000)
  await trigger(client, listenerId)
  // A worker takes the delivery from its queue, finds no stream and returns it.
  const isReturned = and(eq(deliveries.webhookId, listenerId), isNull(deliveries.queuedUntil))
  await eventually(async () => (await service.deps.db.read.$count(deliveries, isReturned)) === 1)
  expect(await deliveriesOf(client, listenerId)).toMatchObject([{ status: 'pending', attempts: [] }])
  for await (const { id } of open(client, listenerId)) {
    await answer(client, listenerId, id, { status: 200 })
    break
  }
  await expect.poll(() => deliveriesOf(client, listenerId)).toMatchObject([{ status: 'delivered' }])

  expect(await dataOf(client.GET('/v1/webhooks'))).toEqual({ data: [] })
  service.clock.advance(61_000)
  const params = { path: { listenerId } }
  expect((await client.GET('/v1/webhooks/listeners/{listenerId}/stream', { params })).response.status).toBe(404)
  await recoverDeliveries(service.deps)
  const webhook = { path: { webhookId: listenerId } }
  expect((await client.GET('/v1/webhooks/{webhookId}', { params: webhook })).response.status).toBe(404)
})

test.each([
  ['http://example.org/hooks', 'loopback'],
  ['http://localhost.example.org/hooks', 'loopback'],
  ['http://10.0.0.1/hooks', 'loopback'],
  ['ftp://localhost/hooks', 'http or https'],
  ['http://ada:secret@localhost/hooks', 'credentials'],
  ['http://localhost/hooks#a', 'fragment'],
  ['localhost:4000', 'http or https'],
  ['hooks', 'Must be a URL'],
])('a listener for %s is refused', async (url, reason) => {
  const { error, response } = await clientOf(service).POST('/v1/webhooks/listeners', {
    body: { forwardTo: url, events: [event] },
  })
  expect([response.status, JSON.stringify(error)]).toEqual([400, expect.stringContaining(reason)])
})

test.each(['http://127.0.0.1:4000/', 'http://[::1]:4000/hooks', 'https://hooks.localhost/a', 'http://127.1.2.3/'])(
  'a listener for %s is created',
  async (url) => {
    const client = clientOf(service)
    const made = await dataOf(client.POST('/v1/webhooks/listeners', { body: { forwardTo: url, events: [event] } }))
    expect(made).toMatchObject({ forwardTo: url, events: [event] })
  },
)

test('a tenant has at most ten listeners', async () => {
  const client = clientOf(service)
  for (let each = 0; each < 10; each++) await newListener(client)
  const more = await client.POST('/v1/webhooks/listeners', { body: { forwardTo, events: [event] } })
  expect(more.response.status).toBe(409)
})

test.each([
  ['PUT', '', { url: 'https://crm.example.org/hook', events: [event] }],
  ['GET', '', undefined],
  ['POST', '/replay', { since: '2026-01-01T00:00:00Z' }],
])('%s%s of a webhook answers 404 for a listener, whose URL stays its own', async (method, end, body) => {
  const path = `/v1/webhooks/${await newListener(clientOf(service))}`
  expect(await service.operator.send(method, `${path}${end}`, body)).toMatchObject({ status: 404 })
  expect(await service.operator.post(`${path}/test`)).toMatchObject({ status: 202 })
  expect(await service.operator.get(`${path}/deliveries`)).toMatchObject({ status: 200 })
  expect(await service.operator.delete(path)).toMatchObject({ status: 204 })
})

test('a listener has at most three streams, and a stream that ends makes room', async () => {
  const client = clientOf(service)
  const listenerId = await newListener(client)
  const begin = () => {
    const ending = new AbortController()
    const init = { params: { path: { listenerId } }, parseAs: 'stream', signal: ending.signal } as const
    return client.GET('/v1/webhooks/listeners/{listenerId}/stream', init).then(({ response }) => ({ response, ending }))
  }
  const open = await Promise.all([begin(), begin(), begin()])
  expect(open.map(({ response }) => response.status)).toEqual([200, 200, 200])
  expect((await begin()).response.status).toBe(409)
  for (const { ending } of open) ending.abort()
  await eventually(async () => {
    const next = await begin()
    next.ending.abort()
    return next.response.status === 200
  })
})

test('an abort ends a stream also after a garbage collection', async () => {
  const client = clientOf(service)
  const listenerId = await newListener(client)
  const ending = new AbortController()
  const init = { params: { path: { listenerId } }, parseAs: 'stream', signal: ending.signal } as const
  const stream = await dataOf(client.GET('/v1/webhooks/listeners/{listenerId}/stream', init))
  const read = Array.fromAsync(serverSentEvents(stream as unknown as ReadableStream<Uint8Array>))
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  for (let round = 0; round < 5; round++) {
    collect()
    await sleep(20)
  }
  ending.abort()
  await expect(read).rejects.toThrow('aborted')
})
