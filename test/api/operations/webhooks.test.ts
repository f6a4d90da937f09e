import { afterAll, beforeAll, expect, test } from 'vitest'
import { pauseWebhook } from '../../../db/repos/operations/webhooks/webhook-health.ts'
import { plusMs } from '../../../shared/clock.ts'
import { eventually, type Service, startService } from '../../harness/harness.ts'
import { issueOne } from '../../harness/issued.ts'
import { startReceiver, verify } from '../../servers/receiver.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const url = 'https://receiver.example/hook'

async function newWebhook(body: Record<string, unknown> = {}) {
  const created = await service.operator.post('/v1/webhooks', { events: ['OpenIdCredentialIssued'], url, ...body })
  expect(created.status).toBe(201)
  return created.body as { id: string; url: string; events: string[]; disabled: boolean }
}

test('a webhook is created, read, changed and deleted', async () => {
  const webhook = await newWebhook()
  expect(webhook).toEqual({ id: expect.any(String), events: ['OpenIdCredentialIssued'], url, disabled: false })
  const path = `/v1/webhooks/${webhook.id}`
  expect(await service.operator.get(path)).toMatchObject({ status: 200, body: webhook })
  expect((await service.operator.get('/v1/webhooks')).body.data).toContainEqual(webhook)

  const changed = { events: ['OpenIdCredentialIssuedSummary'], url: `${url}/2`, disabled: true }
  expect(await service.operator.put(path, changed)).toMatchObject({ status: 200, body: { ...changed, id: webhook.id } })
  const { disabled: _, ...withoutFlag } = changed
  expect((await service.operator.put(path, withoutFlag)).body.disabled).toBe(false)

  expect(await service.operator.delete(path)).toMatchObject({ status: 204, body: undefined })
  for (const method of ['GET', 'DELETE'])
    expect(await service.operator.send(method, path)).toMatchObject({ status: 404 })
  expect(await service.operator.put(path, changed)).toMatchObject({
    status: 404,
    body: { code: 'NotFound', details: [{ param: 'webhookId', location: 'params' }] },
  })
})

test('a page ends where the next one starts', async () => {
  const tenant = await service.addTenant()
  for (let made = 0; made < 3; made++)
    await tenant.operator.post('/v1/webhooks', { events: ['OpenIdCredentialIssued'], url })
  const first = await tenant.operator.get('/v1/webhooks?limit=2')
  const second = await tenant.operator.get(`/v1/webhooks?limit=2&cursor=${first.body.nextCursor}`)
  expect(second.body.nextCursor).toBeUndefined()
  const ids = [...first.body.data, ...second.body.data].map(({ id }) => id)
  expect(new Set(ids).size).toBe(3)
})

test.each<[string, Record<string, unknown>, string]>([
  ['no events', { events: [] }, 'events'],
  ['an unknown kind of event', { events: ['CredentialEaten'] }, 'events.0'],
  ['one kind twice', { events: ['OpenIdCredentialIssued', 'OpenIdCredentialIssued'] }, 'events'],
  ['no URL', { url: undefined }, 'url'],
  ['http', { url: 'http://receiver.example/hook' }, 'url'],
  ['an IP literal', { url: 'https://93.184.216.34/hook' }, 'url'],
  ['an IP literal in disguise', { url: 'https://0x5db8d822/hook' }, 'url'],
  ['credentials', { url: 'https://a:b@receiver.example/hook' }, 'url'],
  ['a query', { url: `${url}?a=b` }, 'url'],
  ['a fragment', { url: `${url}#a` }, 'url'],
  ['a private name', { url: 'https://receiver.internal/hook' }, 'url'],
  ['an invalid flag', { disabled: 'no' }, 'disabled'],
])('a webhook with %s is refused with the name of the field', async (_, wrong, param) => {
  const webhook = await newWebhook()
  const refused = await service.operator.put(`/v1/webhooks/${webhook.id}`, {
    events: ['OpenIdCredentialIssued'],
    url,
    ...wrong,
  })
  expect(refused).toMatchObject({ status: 400, body: { code: 'BadRequest', details: [{ param, location: 'body' }] } })
})

test('loopback addresses are allowed only in development', async () => {
  await using strict = await startService({ env: { OUTBOUND_ALLOW_LOOPBACK: '0' }, roles: ['signing'] })
  const body = { events: ['OpenIdCredentialIssued'], url: 'http://127.0.0.1:8080/hook' }
  expect(await strict.operator.post('/v1/webhooks', body)).toMatchObject({
    status: 400,
    body: { details: [{ param: 'url' }] },
  })
  expect(await service.operator.post('/v1/webhooks', body)).toMatchObject({ status: 201 })
})

test('only issuers manage webhooks, and only those of their tenant', async () => {
  const webhook = await newWebhook()
  const paths = ['', '/deliveries', '/test'].map((rest) => `/v1/webhooks/${webhook.id}${rest}`)
  const otherOperator = (await service.addTenant()).operator
  const auditor = await service.as('auditor')
  for (const [at, path] of paths.entries()) {
    const method = at === 2 ? 'POST' : 'GET'
    expect((await service.anonymous.send(method, path)).status).toBe(401)
    expect((await auditor.send(method, path)).status).toBe(403)
    expect((await otherOperator.send(method, path)).status).toBe(404)
  }
  for (const role of ['issuer', 'managed-issuer']) {
    expect((await (await service.as(role)).get(paths[0]!)).status).toBe(200)
  }
})

test('the published keys have only public members and verify signatures from before a rotation', async () => {
  await using receiver = await startReceiver()
  const webhook = await newWebhook({ url: receiver.url })
  const keysNow = async () => (await service.anonymous.get('/v1/webhooks/jwks')).body
  const before = await keysNow()
  expect(before.keys).toEqual([
    { kty: 'OKP', crv: 'Ed25519', x: expect.any(String), use: 'sig', kid: expect.any(String) },
  ])

  await service.operator.post(`/v1/webhooks/${webhook.id}/test`)
  await eventually(async () => receiver.deliveries.length === 1)
  const { kid } = (await service.operator.post('/v1/webhooks/keys/rotate')).body
  await service.operator.post(`/v1/webhooks/${webhook.id}/test`)
  await eventually(async () => receiver.deliveries.length === 2)

  const after = await keysNow()
  expect(after.keys).toHaveLength(2)
  expect(after.keys).toContainEqual(before.keys[0])
  const [old, recent] = receiver.deliveries
  expect(await verify(old!, after)).toBe(true)
  expect(await verify(recent!, after)).toBe(true)
  expect(await verify(recent!, before)).toBe(false)
  expect(recent!.headers['signature-input']).toContain(`keyid="${kid}"`)

  const laterMs = 26 * 3600 * 1000
  service.clock.advance(laterMs)
  expect((await keysNow()).keys.map((key: { kid: string }) => key.kid)).toEqual([kid])
  service.clock.advance(-laterMs)
})

test('a test event is delivered like other events and is marked as a test', async () => {
  await using receiver = await startReceiver()
  const webhook = await newWebhook({
    url: receiver.url,
    events: ['OpenIdCredentialIssuedSummary', 'OpenIdCredentialIssued'],
  })
  const sent = await service.operator.post(`/v1/webhooks/${webhook.id}/test`)
  expect(sent).toMatchObject({
    status: 202,
    body: { type: 'OpenIdCredentialIssuedSummary', status: 'pending', attempts: [], nextAttemptAt: expect.any(String) },
  })
  const [received] = await eventually(async () => receiver.deliveries.length > 0 && receiver.deliveries)
  expect(received!.body).toMatchObject({
    webhookId: webhook.id,
    event: {
      id: sent.body.eventId,
      type: 'OpenIdCredentialIssuedSummary',
      payload: { test: true, credentialId: '00000000-0000-0000-0000-000000000000' },
    },
  })
  expect(await verify(received!, (await service.anonymous.get('/v1/webhooks/jwks')).body)).toBe(true)
})

test('deliveries are listed with attempts and by status, and replayed with the same event id', async () => {
  let status = 200
  await using receiver = await startReceiver(() => ({ status }))
  const webhook = await newWebhook({ url: receiver.url })
  const path = `/v1/webhooks/${webhook.id}/deliveries`
  await issueOne(service)
  const [delivery] = await eventually(async () => {
    const { body } = await service.operator.get(`${path}?status=delivered`)
    return body.data.length > 0 && body.data
  })
  expect(delivery).toEqual({
    id: expect.any(String),
    eventId: receiver.deliveries[0]!.body.event.id,
    type: 'OpenIdCredentialIssued',
    status: 'delivered',
    eventAt: receiver.deliveries[0]!.body.event.timestamp,
    createdAt: expect.any(String),
    attempts: [
      {
        id: receiver.deliveries[0]!.body.deliveryId,
        at: expect.any(String),
        status: 200,
        durationMs: expect.any(Number),
      },
    ],
  })

  status = 500
  const replayed = await service.operator.post(`${path}/${delivery.id}/replay`)
  expect(replayed).toMatchObject({
    status: 202,
    body: { id: delivery.id, eventId: delivery.eventId, status: 'pending' },
  })
  await eventually(async () => receiver.deliveries.length === 2)
  const pending = await eventually(async () => {
    const [found] = (await service.operator.get(`${path}?status=pending`)).body.data
    return found?.attempts.length === 2 && found
  })
  expect(pending).toMatchObject({ id: delivery.id, attempts: [{ status: 200 }, { status: 500 }] })
  expect(new Set(receiver.deliveries.map(({ body }) => body.event.id)).size).toBe(1)

  expect((await service.operator.get(`${path}?status=failed`)).body.data).toEqual([])
  expect((await service.operator.get(path)).body.data).toHaveLength(1)
  expect(await service.operator.get(`${path}?status=eaten`)).toMatchObject({ status: 400 })
  expect(await service.operator.post(`${path}/${webhook.id}/replay`)).toMatchObject({
    status: 404,
    body: { details: [{ param: 'deliveryId' }] },
  })
})

test('finished deliveries since a time are replayed, also by status, and can be listed newest first', async () => {
  await using receiver = await startReceiver(() => ({ status: 200, body: '<b>thanks</b>' }))
  const webhook = await newWebhook({ url: receiver.url })
  const path = `/v1/webhooks/${webhook.id}`
  const listed = async (query = '') => (await service.operator.get(`${path}/deliveries${query}`)).body.data
  const ended = (count: number) =>
    eventually(async () => (await listed('?status=delivered')).length === count && receiver.deliveries.length >= count)
  const first = (await service.operator.post(`${path}/test`)).body
  await ended(1)
  service.clock.advance(2_000)
  const second = (await service.operator.post(`${path}/test`)).body
  await ended(2)
  expect((await listed()).map(({ id }: { id: string }) => id)).toEqual([first.id, second.id])
  const [newest] = await listed('?order=newest&limit=1')
  expect(newest).toMatchObject({ id: second.id, attempts: [{ status: 200, answer: '<b>thanks</b>' }] })

  const replay = (body: object) => service.operator.post(`${path}/replay`, body)
  const since = second.createdAt
  expect(await replay({ since, status: 'failed' })).toMatchObject({ status: 202, body: { replayed: 0 } })
  // A replay ends the pause of the webhook.
  const later = plusMs(service.clock.now(), 3_600_000)
  await service.deps.db.tx((tx) => pauseWebhook(tx, service.id, webhook.id, later))
  expect(await replay({ since })).toMatchObject({ status: 202, body: { replayed: 1 } })
  await eventually(async () => receiver.deliveries.length === 3)
  expect(receiver.deliveries[2]!.body.event.id).toBe(second.eventId)
  expect(await replay({})).toMatchObject({ status: 400, body: { details: [{ param: 'since' }] } })
  // Values that PostgreSQL cannot store as text or time.
  for (const place of [
    [0, '\0'],
    [8.64e15, 'a'],
    [253_402_300_800_000, 'a'],
  ]) {
    const cursor = Buffer.from(JSON.stringify(place)).toString('base64url')
    expect(await replay({ since, cursor }), cursor).toMatchObject({ status: 400 })
    expect(await service.operator.get(`${path}/deliveries?cursor=${cursor}`), cursor).toMatchObject({ status: 400 })
  }
  expect(await replay({ since: '0000-12-31T23:59:59.999Z' })).toMatchObject({ status: 400 })
  for (const moment of ['0000-12-31', '0001-01-01T00:00:00%2B01:00', '9999-12-31T23:59:59-01:00'])
    expect(await service.operator.get(`/v1/events?dateFrom=${moment}`), moment).toMatchObject({ status: 400 })
  expect(await service.operator.get('/v1/events?dateFrom=0001-01-01&dateTo=9999-12-31')).toMatchObject({ status: 200 })
  await service.operator.put(path, { events: webhook.events, url: receiver.url, disabled: true })
  expect(await replay({ since })).toMatchObject({ status: 409 })
  service.clock.advance(-2_000)
})

test('no test event is sent to a disabled webhook', async () => {
  const webhook = await newWebhook()
  await service.operator.put(`/v1/webhooks/${webhook.id}`, { events: webhook.events, url, disabled: true })
  expect(await service.operator.post(`/v1/webhooks/${webhook.id}/test`)).toMatchObject({
    status: 409,
    body: { code: 'Conflict' },
  })
})
