import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { credentials } from '../../db/tables/issuance/credentials.ts'
import { issuances } from '../../db/tables/issuance/issuances.ts'
import { newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'
import { type ReceivedDelivery, type ReceiverAnswer, startReceiver } from '../servers/receiver.ts'
import { newWallet } from '../wallets/wallet.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

const apiKey = { type: 'api-key', value: 'key-of-the-register' }
const json = (value: unknown): ReceiverAnswer => ({ body: JSON.stringify(value) })

async function newSource(url: string, extra: object = {}, tenant: TestTenant = service): Promise<string> {
  const body = { name: 'Register', url, authorization: apiKey, ...extra }
  const { status, body: source } = await tenant.operator.post('/v1/claim-sources', body)
  if (status !== 201) throw new Error(JSON.stringify(source))
  return source.id
}

const mapped = (name: string, required = false) => ({ [name]: { mapFrom: `claims.${name}`, required } })

/** A web semantic configuration, whose credentials can be read as they are. */
function configurationWith(claimSourceId: string, required = true): Promise<string> {
  const claimMappings = { ...mapped('given_name'), ...mapped('course'), ...mapped('grade', required) }
  return webConfiguration(service, { claimMappings, claimSourceId })
}

async function collect(configurationId: string, offer: Record<string, unknown> = {}) {
  const { uri, id } = await newOffer(service, [configurationId], offer)
  const wallet = await newWallet(service, service.origin, uri)
  const answer = await wallet.collect()
  const { id: _, ...subject } = answer.body.credentials?.[0]?.credential?.credentialSubject ?? {}
  return { answer, subject, wallet, offerId: id }
}

test('a claim source gets the key and the known claims of the person, and its claims are issued', async () => {
  await using register = await startReceiver(() => json({ grade: 'A', course: 'Chemistry', given_name: 'Eve' }))
  const source = await newSource(`${register.url}?kind=student`, {
    requestParameters: {
      email: { mapFrom: 'claims.email' },
      tags: { mapFrom: 'claims.tags' },
      missing: { mapFrom: 'claims.missing' },
      country: { mapFrom: 'claims.country', defaultValue: 'N Z&' },
    },
  })
  const user = await service.operator.post('/v1/users', {
    claims: { email: 'ada@example.com', course: 'Physics', tags: [1] },
  })
  const { subject } = await collect(await configurationWith(source), { userId: user.body.id })

  // Of the offer before the source, of the source before the user.
  expect(subject).toEqual({ given_name: 'Ada', course: 'Chemistry', grade: 'A' })
  expect(register.deliveries).toHaveLength(1)
  const [{ method, path, headers, rawBody } = {} as ReceivedDelivery] = register.deliveries
  expect({ method, rawBody, key: headers['x-api-key'] }).toEqual({ method: 'GET', rawBody: '', key: apiKey.value })
  expect(Object.fromEntries(new URL(path, register.url).searchParams)).toEqual({
    kind: 'student',
    email: 'ada@example.com',
    tags: '[1]',
    country: 'N Z&',
  })
})

test('a source with POST gets the parameters as JSON, whatever their type', async () => {
  await using register = await startReceiver(() => json({ grade: 'A' }))
  const requestParameters = { tags: { mapFrom: 'claims.tags' }, country: { defaultValue: 'NZ' } }
  const source = await newSource(register.url, { requestMethod: 'POST', requestParameters })
  await collect(await configurationWith(source), { claims: { given_name: 'Ada', tags: [1, { a: true }] } })
  expect(register.deliveries).toMatchObject([
    {
      method: 'POST',
      path: '/hook',
      headers: { 'content-type': 'application/json' },
      body: { tags: [1, { a: true }], country: 'NZ' },
    },
  ])
})

test('no source is called for a configuration without one', async () => {
  const { answer } = await collect(await webConfiguration(service))
  expect(answer.status).toBe(200)
  expect(await typesOf(answer.headers)).toEqual(['OPENID_CREDENTIAL_START', 'OPENID_CREDENTIAL_SUCCESS'])
})

test('a call is recorded with its offer and without its content', async () => {
  await using register = await startReceiver(() => json({ grade: 'secret-grade' }))
  const requestParameters = { email: { mapFrom: 'claims.email' } }
  const source = await newSource(register.url, { requestParameters })
  const claims = { email: 'secret@example.com' }
  const { answer } = await collect(await configurationWith(source), { claims })
  const events = await eventsOf(answer.headers)
  expect(events).toMatchObject([
    { type: 'CLAIM_SOURCE_CALL_START', category: 'CLAIM_SOURCES', data: { id: source } },
    { type: 'CLAIM_SOURCE_CALL_SUCCESS', category: 'CLAIM_SOURCES', data: { id: source } },
    { type: 'OPENID_CREDENTIAL_START' },
    { type: 'OPENID_CREDENTIAL_SUCCESS' },
  ])
  expect(JSON.stringify(events)).not.toMatch(/secret|key-of/)
})

test('nothing is issued, recorded or delivered for a person who is erased during the call of a source', async () => {
  const { promise: isErased, resolve: answerSource } = Promise.withResolvers<void>()
  await using register = await startReceiver(() => isErased.then(() => json({ grade: 'A' })))
  await using receiver = await startReceiver()
  const events = ['OpenIdCredentialIssued']
  const webhook = await service.operator.post('/v1/webhooks', { events, url: receiver.url })
  const { body: user } = await service.operator.post('/v1/users', {})
  const configuration = await configurationWith(await newSource(register.url))
  const collecting = collect(configuration, { userId: user.id })
  await eventually(async () => register.deliveries.length === 1)
  expect(await service.operator.delete(`/v1/users/${user.id}`)).toMatchObject({ status: 204 })
  answerSource()
  const { answer } = await collecting
  expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_token' } })
  expect(answer.headers['www-authenticate']).toContain('invalid_token')

  const { read } = service.deps.db
  expect(await read.$count(issuances, eq(issuances.userId, user.id))).toBe(0)
  expect(await read.$count(credentials, eq(credentials.userId, user.id))).toBe(0)
  // What comes after it has come: the other would have, too.
  expect((await collect(configuration)).answer).toMatchObject({ status: 200 })
  await eventually(async () => receiver.deliveries.length > 0)
  expect(receiver.deliveries.map(({ body }) => body.event.payload.userId)).not.toContain(user.id)
  await service.operator.delete(`/v1/webhooks/${webhook.body.id}`)
})

const faults: [string, ReceiverAnswer, string][] = [
  ['a server error', { status: 500, ...json({ grade: 'A' }) }, 'status'],
  ['a redirect', { status: 302, headers: { location: '/elsewhere' }, ...json({ grade: 'A' }) }, 'status'],
  ['no JSON', { body: 'grade: A' }, 'no_object'],
  ['nothing', {}, 'no_object'],
  ['an array', json([{ grade: 'A' }]), 'no_object'],
  ['null', json(null), 'no_object'],
  ['a member twice', { body: '{"grade":"A","grade":"B"}' }, 'no_object'],
  ['__proto__', { body: '{"grade":"A","__proto__":{}}' }, 'no_object'],
  ['too much', json({ grade: 'A', text: 'x'.repeat(500_000) }), 'too_large'],
  ['its answer late', { ...json({ grade: 'A' }), delayMs: 3_300 }, 'timeout'],
]

test.concurrent.each(faults)(
  'a source with `issue` that answers with %s fails only credentials that need its claims',
  { tags: 'once' },
  async (_what, answer, reason) => {
    await using register = await startReceiver(() => answer)
    const source = await newSource(register.url, { onFailure: 'issue' })
    const { answer: refused, wallet } = await collect(await configurationWith(source, true))
    const denied = { status: 400, body: { error: 'credential_request_denied' } }
    expect(refused).toMatchObject(reason === 'timeout' ? { status: 503 } : denied)
    const error = { type: reason, message: expect.any(String) }
    expect(await eventsOf(refused.headers)).toMatchObject([
      { type: 'CLAIM_SOURCE_CALL_FAIL', data: { id: source, error } },
      { type: 'CLAIM_SOURCE_CALL_START' },
      { type: 'OPENID_CREDENTIAL_FAIL' },
      { type: 'OPENID_CREDENTIAL_START' },
    ])
    expect(register.deliveries).toHaveLength(1)

    const optional = await collect(await configurationWith(source, false))
    expect(optional).toMatchObject({ answer: { status: 200 }, subject: { given_name: 'Ada' } })
    // The offer is as it was: the wallet gets its credential once the source is well.
    Object.assign(answer, { status: 200, delayMs: 0, ...json({ grade: 'A' }) })
    expect(await wallet.requestCredential()).toMatchObject({ status: 200 })
  },
)

test('an unreachable source fails credentials that need its claims', async () => {
  const url = await startReceiver().then(async ({ url, [Symbol.asyncDispose]: stop }) => {
    await stop()
    return url
  })
  const { answer } = await collect(await configurationWith(await newSource(url)))
  expect(answer).toMatchObject({ status: 400, body: { error: 'credential_request_denied' } })
  expect((await eventsOf(answer.headers))[0]?.data).toMatchObject({ error: { type: 'connection' } })
})

/** A source with its token endpoint. */
async function startProtectedRegister(tokenResponse: () => ReceiverAnswer) {
  let valid = ''
  const tokenEndpoint = await startReceiver(() => {
    const answer = tokenResponse()
    valid = /"access_token":"(.+?)"/.exec(String(answer.body))?.[1] ?? ''
    return answer
  })
  const register = await startReceiver(({ headers }) =>
    headers.authorization === `Bearer ${valid}` ? json({ grade: 'A' }) : { status: 401 },
  )
  const value = { tokenUrl: tokenEndpoint.url, clientId: 'trust:wright', clientSecret: 'a+b c%', scope: 'read list' }
  const authorization = { type: 'oauth-client-credentials', value }
  return {
    tokenEndpoint,
    configuration: await configurationWith(await newSource(register.url, { authorization })),
    revoke: () => {
      valid = 'another'
    },
    async [Symbol.asyncDispose]() {
      await tokenEndpoint[Symbol.asyncDispose]()
      await register[Symbol.asyncDispose]()
    },
  }
}

const newToken = (expiresIn?: number) =>
  json({ access_token: `token-${randomUUID()}`, token_type: 'bearer', ...(expiresIn && { expires_in: expiresIn }) })

test('a token is requested with client credentials once, and again when it expires or is refused', async () => {
  await using own = await startProtectedRegister(() => newToken(60))
  const { tokenEndpoint, configuration } = own
  const answers = await Promise.all([1, 2, 3].map(() => collect(configuration)))
  expect(answers.map(({ answer }) => answer.status)).toEqual([200, 200, 200])
  expect(tokenEndpoint.deliveries).toMatchObject([
    {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        // RFC 6749, section 2.3.1: form-encoded first.
        authorization: `Basic ${Buffer.from('trust%3Awright:a%2Bb+c%25').toString('base64')}`,
      },
      rawBody: 'grant_type=client_credentials&scope=read+list',
    },
  ])
  service.clock.advance(51_000)
  expect((await collect(configuration)).answer.status).toBe(200)
  expect(tokenEndpoint.deliveries).toHaveLength(2)

  own.revoke()
  expect((await collect(configuration)).answer.status).toBe(400)
  expect((await collect(configuration)).answer.status).toBe(200)
  expect(tokenEndpoint.deliveries).toHaveLength(3)
})

test('a token without a known expiry is not cached', async () => {
  await using own = await startProtectedRegister(() => newToken())
  for (const count of [1, 2]) {
    expect((await collect(own.configuration)).answer.status).toBe(200)
    expect(own.tokenEndpoint.deliveries).toHaveLength(count)
  }
})

test.concurrent.each<[string, ReceiverAnswer, string]>([
  ['an error', { status: 401, ...json({ error: 'invalid_client' }) }, 'no_token'],
  ['a redirect', { status: 307, headers: { location: '/elsewhere' } }, 'no_token'],
  ['no JSON', { body: 'token' }, 'no_token'],
  ['a token of another type', json({ access_token: 'a', token_type: 'mac' }), 'no_token'],
  ['a token that no header can hold', json({ access_token: 'a\r\nb: c', token_type: 'Bearer' }), 'no_token'],
  ['its answer late', { ...newToken(60), delayMs: 3_300 }, 'no_token'],
])(
  'a token endpoint that answers with %s fails the call, and is called again the next time',
  { tags: 'once' },
  async (_what, answer, reason) => {
    await using own = await startProtectedRegister(() => answer)
    const first = await collect(own.configuration)
    expect(first.answer.status).toBe(answer.delayMs === undefined ? 400 : 503)
    expect((await eventsOf(first.answer.headers))[0]?.data).toMatchObject({ error: { type: reason } })
    Object.assign(answer, { status: 200, delayMs: 0, ...newToken(60) })
    expect(await first.wallet.requestCredential()).toMatchObject({ status: 200 })
  },
)

test('a source is called only with the configuration of its own tenant', async () => {
  await using register = await startReceiver(() => json({ grade: 'A' }))
  const other = await service.addTenant()
  const source = await newSource(register.url, {}, other)
  await expect(configurationWith(source)).rejects.toThrow('claimSourceId')
  expect(register.deliveries).toEqual([])
})

interface Event {
  type: string
  category: string
  data: Record<string, unknown>
}

/** The events of one request, sorted by type, once its end is stored. */
async function eventsOf(headers: Record<string, unknown>): Promise<Event[]> {
  return eventually(async () => {
    const { body } = await service.operator.get(`/v1/events?requestIds=${headers['x-request-id']}`)
    const events: Event[] = body.data
    const isStored = events.some(({ type }) => /^OPENID_CREDENTIAL_(SUCCESS|FAIL)$/.test(type))
    return isStored && events.sort((x, y) => (x.type < y.type ? -1 : 1))
  })
}

async function typesOf(headers: Record<string, unknown>): Promise<string[]> {
  return (await eventsOf(headers)).map(({ type }) => type)
}
