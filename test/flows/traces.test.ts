import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, onTestFailed, test } from 'vitest'
import { dialect } from '../../db/columns.ts'
import { offers } from '../../db/tables/issuance/offers.ts'
import { createApi } from '../harness/api-client.ts'
import { createCanaries } from '../harness/canaries.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { eventually } from '../harness/harness.ts'
import { type Processes, startProcesses } from '../harness/processes.ts'
import { startOtlpReceiver } from '../servers/otlp-receiver.ts'
import { startReceiver } from '../servers/receiver.ts'
import { newWallet, preAuthorizedGrant, readOffer } from '../wallets/wallet.ts'

const { textOf, indexesIn } = createCanaries()
const exportDelayMs = 100
let service: Processes
let traces: Awaited<ReturnType<typeof startOtlpReceiver>>
let receiver: Awaited<ReturnType<typeof startReceiver>>
/** The receiver answers after this. */
let mayAnswer = Promise.resolve()
let configurationId: string

beforeAll(async () => {
  traces = await startOtlpReceiver()
  receiver = await startReceiver(() => mayAnswer.then(() => ({})))
  service = await startProcesses({
    OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-receiver',
    OTEL_BSP_SCHEDULE_DELAY: String(exportDelayMs),
  })
  configurationId = await compactConfiguration(service.tenant)
  const webhook = { events: ['OpenIdCredentialIssued'], url: `${receiver.url}/${textOf(1)}` }
  expect(await service.tenant.operator.post('/v1/webhooks', webhook)).toMatchObject({ status: 201 })
  await untilExported()
})
afterAll(async () => {
  for (const each of [service, receiver, traces]) await each?.[Symbol.asyncDispose]()
})

/** The traces that only show that earlier spans have arrived. */
const markers = new Set<string>()
/** The spans that arrived, without those of the markers. */
const spansSoFar = () => traces.spans.filter(({ traceId }) => !markers.has(traceId))

/**
 * Waits until the spans of earlier requests have arrived. A process sends its spans in the order in which they end. So a later credential,
 * whose trace goes through all processes, is collected and delivered.
 */
async function untilExported(): Promise<void> {
  const traceId = randomBytes(16).toString('hex')
  markers.add(traceId)
  const headers = { traceparent: `00-${traceId}-3333333333333333-01` }
  const body = { credentials: [configurationId], claims: { given_name: 'Ada' } }
  const { body: offer } = await service.tenant.operator.post('/v1/openid/offers/pre-authorized', body, headers)
  expect(await (await newWallet(service.tenant, service.origin, offer.uri)).collect()).toMatchObject({ status: 200 })
  const last = ['issueCredential', 'job signWebhooks', 'outbox relay', 'webhook delivery', 'job fanOut']
  await eventually(async () => {
    const spans = traces.spans.filter((span) => span.traceId === traceId)
    const names = new Set(spans.map(({ name, attributes }) => [name, attributes['trustwright.job']].join(' ').trim()))
    return last.every((name) => names.has(name) || [...names].some((each) => each.startsWith(`${name} `)))
  })
}

const spansOf = (traceId: string) => spansSoFar().filter((span) => span.traceId === traceId)
const named = (name: string) => spansSoFar().filter((span) => span.name === name)
const hasDelivery = (offerId: string) =>
  receiver.deliveries.some(({ body }) => body.event.payload.credentialOfferId === offerId)

async function collectedOffer(claims: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const request = { credentials: [configurationId], claims: { given_name: 'Ada', ...claims } }
  const { body: offer } = await service.tenant.operator.post('/v1/openid/offers/pre-authorized', request, headers)
  const wallet = await newWallet(service.tenant, service.origin, offer.uri)
  expect(await wallet.collect()).toMatchObject({ status: 200 })
  await eventually(async () => hasDelivery(offer.id))
  await untilExported()
  return offer
}

test('one trace goes from the offer to the webhook, through all processes', async () => {
  onTestFailed(() => console.error(service.errorOutput(), spansSoFar()))
  traces.clear()
  const offer = await collectedOffer({ given_name: textOf(2) })
  expect(new Set(spansSoFar().map(({ traceId }) => traceId)).size).toBe(1)
  expect(spansSoFar().length).toBeGreaterThanOrEqual(12)
  const ids = new Set(spansSoFar().map(({ spanId }) => spanId))
  expect(ids.size).toBe(spansSoFar().length)
  const roots = spansSoFar().filter(({ parentSpanId }) => parentSpanId === undefined || !ids.has(parentSpanId))
  expect(roots).toMatchObject([{ name: 'createPreAuthorizedOffer', service: 'trustwright-web' }])

  expect(new Set(spansSoFar().map(({ name }) => name))).toEqual(
    new Set([
      ...[
        'createPreAuthorizedOffer',
        'createAccessToken',
        'issueCredential',
        'database transaction',
        'signing request',
      ],
      ...['job', 'outbox relay', 'webhook delivery', 'outbound call'],
      ...(dialect === 'postgres' ? ['database read'] : []),
    ]),
  )
  expect(new Set(spansSoFar().map((span) => span.service))).toEqual(
    new Set(['trustwright-web', 'trustwright-signing', 'trustwright-worker']),
  )
  const jobs = named('job').map(({ attributes }) => attributes['trustwright.job'])
  expect(jobs.sort()).toEqual(['fanOut', 'issueCredentials', 'signWebhooks'])
  const [delivery] = receiver.deliveries.filter(({ body }) => body.event.payload.credentialOfferId === offer.id)
  const [webhook] = named('webhook delivery')
  expect(delivery?.headers.traceparent).toBe(`00-${webhook?.traceId}-${webhook?.spanId}-01`)
})

test('spans have ids and no claims, addresses or secrets', async () => {
  onTestFailed(() => console.error(spansSoFar()))
  traces.clear()
  const offer = await collectedOffer({ given_name: textOf(3) })
  const [token] = named('createAccessToken')
  expect(token?.attributes).toMatchObject({
    'trustwright.tenant.id': service.tenant.id,
    'trustwright.offer.id': offer.id,
    'http.response.status_code': 200,
  })
  expect(named('outbound call')[0]?.attributes).toEqual({
    'http.request.method': 'POST',
    'http.response.status_code': 200,
  })
  const code = new URLSearchParams(new URL(offer.uri).search).get('credential_offer') ?? ''
  const secret = JSON.parse(code).grants[preAuthorizedGrant]['pre-authorized_code'].split('.')[1]
  for (const body of traces.bodies) {
    expect(indexesIn(body)).toEqual(new Set())
    expect(body.includes(secret)).toBe(false)
    expect(body.includes('/hook')).toBe(false)
  }
  expect(traces.headers.at(-1)).toMatchObject({ authorization: 'Bearer of-the-receiver' })
  expect(service.output()).not.toContain('of-the-receiver')
})

const operatorTrace = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
const forgedTrace = 'ffffffffffffffffffffffffffffffff'
const forged = { traceparent: `00-${forgedTrace}-1111111111111111-01` }

test('an operator continues its own trace, or does not record it', async () => {
  traces.clear()
  await collectedOffer({}, { traceparent: `00-${operatorTrace}-2222222222222222-01` })
  expect(new Set(spansSoFar().map(({ traceId }) => traceId))).toEqual(new Set([operatorTrace]))
  expect(named('createPreAuthorizedOffer')).toMatchObject([{ parentSpanId: '2222222222222222' }])
  traces.clear()
  const { id } = await collectedOffer({}, { traceparent: `00-${operatorTrace}-2222222222222222-00` })
  expect(spansSoFar()).toEqual([])
  const [row] = await service.db.read.select().from(offers).where(eq(offers.id, id))
  expect(row?.traceparent).toBe(null)
})

test('the traceparent of a wallet or of an anonymous caller has no effect', async () => {
  const offer = await newOffer(service.tenant, [configurationId])
  const unrecorded = { traceparent: `00-${operatorTrace}-2222222222222222-00` }
  const { body: quiet } = await service.tenant.operator.post(
    '/v1/openid/offers/pre-authorized',
    { credentials: [configurationId], claims: { given_name: 'Ada' } },
    unrecorded,
  )
  await untilExported()
  traces.clear()
  const anonymous = createApi(service.origin, service.tenant.host)
  await anonymous.get('/.well-known/openid-credential-issuer', forged)
  await anonymous.post('/v1/openid/nonce', undefined, forged)
  expect(await anonymous.get('/v1/webhooks', forged)).toMatchObject({ status: 401 })
  const wrongToken = { authorization: 'Bearer a.b.c', ...forged }
  expect(await anonymous.get('/v1/webhooks', wrongToken)).toMatchObject({ status: 401 })
  for (const { uri } of [offer, quiet]) {
    const content = await readOffer(uri, anonymous)
    const code = content.grants[preAuthorizedGrant]['pre-authorized_code']
    const form = new URLSearchParams({ grant_type: preAuthorizedGrant, 'pre-authorized_code': code })
    const { body } = await anonymous.post('/v1/oauth/token', form, forged)
    const authorization = `Bearer ${body.access_token}`
    const request = { credential_configuration_id: configurationId, proofs: { jwt: ['x'] } }
    const refused = await anonymous.post('/v1/openid/credential', request, { authorization, ...forged })
    expect(refused.status).toBe(400)
    // Only the wallet of the recorded offer gets a trace id.
    expect('traceId' in refused.body).toBe(uri === offer.uri)
  }
  await untilExported()
  expect(spansOf(forgedTrace)).toEqual([])
  expect(new Set(spansSoFar().map(({ traceId }) => traceId)).size).toBe(1)
  expect(named('createAccessToken')).toMatchObject([{ attributes: { 'trustwright.offer.id': offer.id } }])
})

test('concurrent requests that share a commit keep their own traces', async () => {
  const { operator } = service.tenant
  const webhook = { events: ['OpenIdCredentialIssued'], url: receiver.url }
  const made = await Promise.all(Array.from({ length: 6 }, () => operator.post('/v1/webhooks', webhook)))
  await untilExported()
  traces.clear()
  const traceIdOf = (position: number) => `${position + 1}`.repeat(32)
  const removals = made.map(({ body }, position) =>
    operator.delete(`/v1/webhooks/${body.id}`, { traceparent: `00-${traceIdOf(position)}-2222222222222222-01` }),
  )
  expect(new Set((await Promise.all(removals)).map(({ status }) => status))).toEqual(new Set([204]))
  await eventually(async () => named('job').length === made.length)
  await untilExported()
  for (const position of made.keys()) {
    const spans = spansOf(traceIdOf(position))
    const jobs = spans.filter(({ name }) => name === 'job').map(({ attributes }) => attributes['trustwright.job'])
    expect(jobs).toEqual(['removeWebhook'])
    // The row stays until its job is done. After 20 s the relay takes it again, which adds no job.
    expect(spans.filter(({ name }) => name === 'outbox relay').length).toBeGreaterThanOrEqual(1)
  }
})

test('error bodies and log lines have the trace id', async () => {
  traces.clear()
  const { status, body, headers } = await service.tenant.operator.post('/v1/webhooks', { events: [] })
  expect({ status, body }).toMatchObject({ status: 400, body: { traceId: expect.stringMatching(/^[0-9a-f]{32}$/) } })
  await untilExported()
  expect(spansOf(body.traceId).filter(({ name }) => name === 'createWebhook')).toMatchObject([
    { name: 'createWebhook', attributes: { 'trustwright.request.id': headers['x-request-id'] } },
  ])
  const lines = service.output().split('\n')
  const [line] = lines.filter((each) => each.includes(`"requestId":"${headers['x-request-id']}"`))
  expect(JSON.parse(line ?? '{}')).toMatchObject({ traceId: body.traceId, msg: 'refused' })
})

test('a delivery that its worker did not finish is repeated in the same trace', async () => {
  onTestFailed(() => console.error(service.errorOutput(), spansSoFar()))
  traces.clear()
  const { promise, resolve: letAnswer } = Promise.withResolvers<void>()
  mayAnswer = promise
  const offer = await newOffer(service.tenant, [configurationId])
  const wallet = await newWallet(service.tenant, service.origin, offer.uri)
  expect(await wallet.collect()).toMatchObject({ status: 200 })
  await eventually(async () => hasDelivery(offer.id))
  await service.kill('worker')
  letAnswer()
  mayAnswer = Promise.resolve()
  await service.start('worker')
  const received = () => receiver.deliveries.filter(({ body }) => body.event.payload.credentialOfferId === offer.id)
  await eventually(async () => received().length === 2)
  await untilExported()
  const [first, second] = received().map(({ headers }) => headers.traceparent?.split('-'))
  expect(second?.[1]).toBe(first?.[1])
  expect(second?.[2]).not.toBe(first?.[2])
  expect(named('webhook delivery')).toMatchObject([{ traceId: second?.[1], spanId: second?.[2] }])
})

test('a receiver of traces that does not answer neither delays nor fails requests', { tags: 'once' }, async () => {
  await service.start('second web', {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
  })
  const offer = await newOffer(service.tenant, [configurationId])
  const wallet = await newWallet(service.tenant, service.secondOrigin, offer.uri)
  expect(await wallet.collect()).toMatchObject({ status: 200 })
  await eventually(async () => service.output().includes('trace export failed'))
  const failures = service
    .output()
    .split('\n')
    .filter((line) => line.includes('trace export failed'))
  // They belong to no request.
  expect(failures.filter((line) => line.includes('traceId'))).toEqual([])
  // A process that did not stop in time would end with 1.
  expect(await service.stop('second web')).toBe(0)
})
