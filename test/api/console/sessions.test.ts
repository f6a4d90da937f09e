import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertConsoleSession } from '../../../db/repos/console/sessions.ts'
import { listAuditEvents } from '../../../db/repos/operations/audit/audit.ts'
import { consoleSessions } from '../../../db/tables/console/sessions.ts'
import { type ApiResponse, createApi } from '../../harness/api-client.ts'
import { eventually, type Service, startService, type TestTenant, tokenOf } from '../../harness/harness.ts'

let service: Service
let other: TestTenant
beforeAll(async () => {
  service = await startService()
  other = await service.addTenant()
})
afterAll(() => service[Symbol.asyncDispose]())

const path = '/console/session'
const header = { 'x-console': '1' }
const minuteMs = 60_000
const unauthorized = { status: 401, body: 'Unauthorized' }

interface Secret {
  clientId: string
  clientSecret: string
}

const signIn = (
  { clientId, clientSecret }: Secret = service,
  headers: Record<string, string> = {},
  tenant = service as TestTenant,
) => tenant.anonymous.post(path, { clientId, clientSecret }, { ...header, ...headers })

/** The cookie that a browser sends back. */
const cookieOf = ({ headers }: ApiResponse) => String(headers['set-cookie']).split(';', 1)[0]!

async function signedIn(secret: Secret = service, tenant: TestTenant = service): Promise<Record<string, string>> {
  const answer = await signIn(secret, {}, tenant)
  expect(answer.status).toBe(201)
  return { ...header, cookie: cookieOf(answer) }
}

const clientsPath = () => `/v1/tenants/${service.id}/clients`
async function newClient(...roles: string[]): Promise<Secret> {
  return (await service.operator.post(clientsPath(), { name: roles.join(' '), roles })).body
}

const getSession = (headers: Record<string, string>) => service.anonymous.get(path, headers)

test('a sign-in returns the client, and the session has the permissions of its token', async () => {
  const client = await newClient('issuer', 'auditor')
  const answer = await signIn(client)
  const { headers, body } = answer
  expect(answer.status).toBe(201)
  expect(body).toEqual({
    clientId: client.clientId,
    name: 'issuer auditor',
    roles: ['issuer', 'auditor'],
    permissions: expect.arrayContaining(['users:*', 'events:read']),
    tenantId: service.id,
    ...{ tenantName: expect.any(String), hasTestWallet: true, isReadOnly: false, operations: expect.any(Array) },
    since: expect.any(String),
    until: expect.any(String),
    idleUntil: expect.any(String),
  })
  expect([Date.parse(body.until), Date.parse(body.idleUntil)].map((end) => end - Date.parse(body.since))).toEqual([
    12 * 60 * minuteMs,
    30 * minuteMs,
  ])
  expect(headers['set-cookie']).toMatch(/^console=[\w-]{36}\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
  const session = { ...header, cookie: cookieOf(answer) }
  expect(await getSession(session)).toMatchObject({ status: 200, body })
  expect(await service.anonymous.post('/v1/users', { claims: {} }, session)).toMatchObject({ status: 201 })
  const kept = await service.deps.db.read.select().from(consoleSessions)
  expect(JSON.stringify(kept)).not.toContain(cookieOf(answer).split('.')[1])
})

test('the platform has sessions at its own host', async () => {
  const { body } = await service.platform.get(path)
  const made = await service.platform.post(`/v1/tenants/${body.tenantId}/clients`, { name: 'P', roles: ['platform'] })
  const { clientId, clientSecret } = made.body
  const platform = createApi(service.origin, service.deps.config.platformHost)
  const answer = await platform.post(path, { clientId, clientSecret }, header)
  expect(answer).toMatchObject({ status: 201, body: { roles: ['platform'], permissions: ['tenants:*'] } })
  const session = { ...header, cookie: cookieOf(answer) }
  expect(await platform.get('/v1/tenants', session)).toMatchObject({ status: 200 })
  expect(await getSession(session)).toMatchObject(unauthorized)
})

test('with https the cookie belongs to the host and is Secure', async () => {
  await using secure = await startService({ roles: ['signing'], env: { PUBLIC_SCHEME: 'https' } })
  const { clientId, clientSecret, anonymous, host } = secure
  const own = { ...header, origin: `https://${host}`, 'sec-fetch-site': 'same-origin' }
  const answer = await anonymous.post(path, { clientId, clientSecret }, own)
  const attributes = 'Path=/; HttpOnly; SameSite=Strict; Secure'
  expect(answer.headers['set-cookie']).toMatch(new RegExp(`^__Host-console=\\S+; ${attributes}$`))
  expect(await anonymous.get(path, { ...own, cookie: cookieOf(answer) })).toMatchObject({ status: 200 })
  const bare = { ...own, cookie: cookieOf(answer).replace('__Host-', '') }
  expect(await anonymous.get(path, bare)).toMatchObject(unauthorized)
  expect(await anonymous.delete(path, own)).toMatchObject({
    status: 204,
    headers: { 'set-cookie': `__Host-console=; ${attributes}; Max-Age=0` },
  })
})

test('each sign-in creates a new session and ends the one of the cookie, and a planted cookie is not accepted', async () => {
  const planted = `console=${randomUUID()}.${'x'.repeat(43)}`
  const first = await signIn(service, { cookie: planted })
  expect(cookieOf(first)).not.toBe(planted)
  expect(await getSession({ ...header, cookie: planted })).toMatchObject(unauthorized)
  const second = await signIn(service, { cookie: cookieOf(first) })
  expect(cookieOf(second).split('.')).not.toContain(cookieOf(first).split('.')[0])
  expect(await getSession({ ...header, cookie: cookieOf(first) })).toMatchObject(unauthorized)
  expect(await getSession({ ...header, cookie: cookieOf(second) })).toMatchObject({ status: 200 })
})

describe('a request that a page of another origin could send', () => {
  test('has no session without the header', async () => {
    const { cookie = '' } = await signedIn()
    const credentials = { clientId: service.clientId, clientSecret: service.clientSecret }
    expect(await getSession({ cookie })).toMatchObject(unauthorized)
    expect(await service.anonymous.post('/v1/users', { claims: {} }, { cookie })).toMatchObject(unauthorized)
    const refused = { status: 400, body: { details: [{ param: 'X-Console', location: 'headers' }] } }
    expect(await service.anonymous.delete(path, { cookie })).toMatchObject(refused)
    expect(await service.anonymous.post(path, credentials, { cookie })).toMatchObject(refused)
    expect(await getSession({ cookie, ...header })).toMatchObject({ status: 200 })
  })

  const foreign: Record<string, () => Record<string, string>> = {
    'of another site': () => ({ origin: 'https://evil.example' }),
    'of no origin': () => ({ origin: 'null' }),
    "of another tenant's host": () => ({ origin: `http://${other.host}` }),
    'of another scheme': () => ({ origin: `https://${service.host}` }),
    'that the browser calls cross-site': () => ({ 'sec-fetch-site': 'cross-site' }),
    'that the browser calls same-site': () => ({ 'sec-fetch-site': 'same-site' }),
  }
  test.each(Object.keys(foreign))('is refused even with the header: %s', async (name) => {
    const session = { ...(await signedIn()), ...foreign[name]!() }
    for (const answer of [
      await getSession(session),
      await service.anonymous.post('/v1/users', { claims: {} }, session),
      await service.anonymous.delete(path, session),
      await signIn(service, foreign[name]!()),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: undefined })
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
  })

  test('is refused as a form', async () => {
    const { clientId, clientSecret } = service
    const answer = await service.anonymous.post(path, new URLSearchParams({ clientId, clientSecret }), header)
    expect(answer.status).toBe(415)
  })

  test('is accepted from the page of its own host', async () => {
    const own = { origin: `http://${service.host}`, 'sec-fetch-site': 'same-origin' }
    expect(await getSession({ ...(await signedIn()), ...own })).toMatchObject({ status: 200 })
  })
})

test('a stolen cookie is not valid at the host of another tenant', async () => {
  const session = await signedIn()
  expect(await other.anonymous.get(path, session)).toMatchObject(unauthorized)
  expect(await other.anonymous.delete(path, session)).toMatchObject({ status: 204 })
  expect(await getSession(session)).toMatchObject({ status: 200 })
  expect(await signIn(service, {}, other)).toMatchObject({ status: 401, body: { code: 'access_denied' } })
})

test('a session has only the roles of its client, even with parts of another session', async () => {
  const auditor = await signedIn(await newClient('auditor'))
  const admin = await signedIn()
  expect(await service.anonymous.get('/v1/events', auditor)).toMatchObject({ status: 200 })
  expect(await service.anonymous.get('/v1/users', auditor)).toMatchObject({ status: 403, body: undefined })
  const escalation = { name: 'x', roles: ['admin'] }
  expect(await service.anonymous.post(clientsPath(), escalation, auditor)).toMatchObject({ status: 403 })
  // The id of the admin's session with the auditor's secret, and the reverse.
  const [adminId, adminSecret] = admin.cookie!.split('.')
  const [auditorId, auditorSecret] = auditor.cookie!.split('.')
  for (const cookie of [`${adminId}.${auditorSecret}`, `${auditorId}.${adminSecret}`, `${adminId}.`, 'console='])
    expect(await getSession({ ...header, cookie })).toMatchObject(unauthorized)
})

test('a bearer token takes precedence over the cookie, even if it is wrong', async () => {
  const admin = await signedIn()
  const verifier = await newClient('verifier')
  const token = await tokenOf(service.origin, service.host, verifier.clientId, verifier.clientSecret)
  const both = (authorization: string) => getSession({ ...admin, authorization })
  expect(await both(`Bearer ${token}`)).toMatchObject({ status: 200, body: { clientId: verifier.clientId } })
  expect(await both('Bearer a.b.c')).toMatchObject(unauthorized)
})

test('a session ends after half an hour without use, and after twelve hours in any case', async () => {
  const left = await signedIn()
  const used = await signedIn()
  const restMs = 29 * minuteMs
  for (let passedMs = restMs; passedMs < 12 * 60 * minuteMs; passedMs += restMs) {
    service.clock.advance(restMs)
    expect(await getSession(used)).toMatchObject({ status: 200 })
    if (passedMs === restMs) expect(await getSession(left)).toMatchObject({ status: 200 })
    if (passedMs === 3 * restMs) expect(await getSession(left)).toMatchObject(unauthorized)
  }
  service.clock.advance(restMs)
  expect(await getSession(used)).toMatchObject(unauthorized)
})

test('polling of a page is answered but does not extend the session', async () => {
  const session = await signedIn()
  const polling = { ...session, 'x-console': 'poll' }
  service.clock.advance(20 * minuteMs)
  expect(await getSession(polling)).toMatchObject({ status: 200 })
  service.clock.advance(9 * minuteMs)
  expect(await getSession(polling)).toMatchObject({ status: 200 })
  expect(await getSession(session)).toMatchObject({ status: 200 })
  service.clock.advance(29 * minuteMs)
  expect(await getSession(polling)).toMatchObject({ status: 200 })
  service.clock.advance(minuteMs)
  expect(await getSession(polling)).toMatchObject(unauthorized)
  expect(await getSession(session)).toMatchObject(unauthorized)
})

describe('a session ends', () => {
  test('with its sign-out, which removes the cookie and can be repeated', async () => {
    const session = await signedIn()
    for (const _ of ['first', 'second']) {
      expect(await service.anonymous.delete(path, session)).toMatchObject({
        status: 204,
        headers: { 'set-cookie': 'console=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0' },
      })
      expect(await getSession(session)).toMatchObject(unauthorized)
    }
  })

  test('with its client', async () => {
    const client = await newClient('issuer')
    const session = await signedIn(client)
    await service.operator.delete(`${clientsPath()}/${client.clientId}`)
    expect(await getSession(session)).toMatchObject(unauthorized)
    expect(await signIn(client)).toMatchObject({ status: 401 })
  })

  test("with its client's secret, after the overlap", async () => {
    const client = await newClient('issuer')
    const session = await signedIn(client)
    const replace = (overlapSeconds: number) =>
      service.operator.post(`${clientsPath()}/${client.clientId}/secret`, { overlapSeconds })
    const second = await signedIn((await replace(300)).body)
    expect(await getSession(session)).toMatchObject({ status: 200 })
    service.clock.advance(6 * minuteMs)
    expect(await getSession(session)).toMatchObject(unauthorized)
    expect(await getSession(second)).toMatchObject({ status: 200 })
    await replace(0)
    expect(await getSession(second)).toMatchObject(unauthorized)
  })

  test('with its tenant', async () => {
    const tenant = await service.addTenant()
    const session = await signedIn(tenant, tenant)
    await service.platform.delete(`/v1/tenants/${tenant.id}`)
    expect(await tenant.anonymous.get(path, session)).toMatchObject({ status: 404 })
    const { db } = service.deps
    const ofTenant = () => db.read.select().from(consoleSessions).where(eq(consoleSessions.tenantId, tenant.id))
    await eventually(async () => (await ofTenant()).length === 0)
  })

  test('after 100 further sign-ins of its client', async () => {
    const client = await newClient('issuer')
    const session = await signedIn(client)
    const { db } = service.deps
    const ofClient = () => db.read.select().from(consoleSessions).where(eq(consoleSessions.clientId, client.clientId))
    const [row] = await ofClient()
    const later = { createdAt: new Date(row!.createdAt.getTime() + 1) }
    await db.tx(async (tx) => {
      for (let made = 0; made < 99; made++) await insertConsoleSession(tx, { ...row!, ...later, id: randomUUID() })
    })
    expect(await getSession(session)).toMatchObject({ status: 200 })
    await signIn(client)
    expect(await getSession(session)).toMatchObject(unauthorized)
    expect(await ofClient()).toHaveLength(100)
  })
})

test('after too many wrong secrets or cookies from an address, only wrong ones are refused', async () => {
  const limits = { failedSecretsPerMinute: 3 }
  for (const guess of ['secret', 'cookie']) {
    const tenant = await service.addTenant()
    const session = await signedIn(tenant, tenant)
    expect(await service.platform.put(`/v1/tenants/${tenant.id}`, { limits })).toMatchObject({ status: 200 })
    const guessOnce = () =>
      guess === 'secret'
        ? signIn({ ...tenant, clientSecret: 'wrong' }, {}, tenant)
        : tenant.anonymous.get(path, { ...header, cookie: `console=${randomUUID()}.x` })
    const guessed = await guessOnce()
    expect(guessed.status).toBe(401)
    await eventually(async () => (await guessOnce()).status === 429)
    expect(await tenant.anonymous.get(path, session)).toMatchObject({ status: 200 })
    expect(await signIn(tenant, {}, tenant)).toMatchObject({ status: 201 })
  }
})

test('events and audit record sign-ins and sign-outs with the client and without secrets', async () => {
  const tenant = await service.addTenant()
  const refused = await signIn({ ...tenant, clientSecret: 'wrong' }, {}, tenant)
  expect(refused).toMatchObject({
    status: 401,
    body: { code: 'access_denied', message: expect.stringMatching(/secret/) },
  })
  const answer = await signIn(tenant, {}, tenant)
  const session = { ...header, cookie: cookieOf(answer) }
  const out = await tenant.anonymous.delete(path, session)
  const ids = [refused, answer, out].map(({ headers }) => headers['x-request-id'])
  const events = await eventually(async () => {
    const { body } = await tenant.operator.get(`/v1/events?requestIds=${ids.join(',')}`)
    return body.data.length >= 7 && body.data
  })
  const types = events.map(({ type }: { type: string }) => type)
  const expected = ['IN_START', 'IN_SUCCESS', 'IN_AUDIT', 'OUT_START', 'OUT_SUCCESS', 'OUT_AUDIT', 'IN_FAIL']
  expect(types).toEqual(expect.arrayContaining(expected.map((each) => `CONSOLE_SIGN_${each}`)))
  const { rows } = await listAuditEvents(service.deps.db.read, tenant.id, {}, 10)
  expect(rows.find(({ type }) => type === 'CONSOLE_SIGN_IN_AUDIT')).toMatchObject({ clientId: tenant.clientId })
  const recorded = JSON.stringify([events, rows])
  for (const secret of [tenant.clientSecret, cookieOf(answer).split('.')[1]!]) expect(recorded).not.toContain(secret)
})

test('a missing secret is named', async () => {
  const answer = await service.anonymous.post(path, { clientId: 'x' }, header)
  expect(answer).toMatchObject({ status: 400, body: { details: [{ param: 'clientSecret', location: 'body' }] } })
})
