import { hash, randomBytes, randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dialect } from '../../../db/columns.ts'
import { hold } from '../../../db/hold.ts'
import { insertConsoleSession } from '../../../db/repos/console/sessions.ts'
import { consoleSessions } from '../../../db/tables/console/sessions.ts'
import { approvals } from '../../../db/tables/operations/approvals.ts'
import { newId } from '../../../shared/ids.ts'
import { type Api, createApi } from '../../harness/api-client.ts'
import { eventually, type Service, startService, type TestTenant, tokenOf } from '../../harness/harness.ts'
import { waitingForLocks } from '../../harness/locks.ts'
import { newWaitingApproval } from '../../harness/waiting-approval.ts'
import type { RunningProvider } from '../../servers/provider.ts'
import { cookieIn, header, runProviderFor, settingsFor, signedIn } from './provider-people.ts'

const sessions = '/v1/console-sessions'
const minuteMs = 60_000

let service: Service
let provider: RunningProvider
beforeAll(async () => {
  service = await startService()
  provider = await runProviderFor(service.baseUrl)
  expect(await service.operator.put('/v1/sign-in-provider', settingsFor(provider))).toMatchObject({ status: 200 })
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

type Headers = Record<string, string>
interface Secret {
  clientId: string
  clientSecret: string
}

async function newClient(...roles: string[]): Promise<Secret> {
  return (await service.operator.post(`/v1/tenants/${service.id}/clients`, { name: roles.join(' '), roles })).body
}

async function signIn({ clientId, clientSecret }: Secret, tenant: TestTenant = service): Promise<Headers> {
  const answer = await tenant.anonymous.post('/console/session', { clientId, clientSecret }, header)
  return { ...header, cookie: cookieIn(answer, 'console')! }
}

/** Returns a function that exchanges the code of a program that the session allowed. */
async function allowProgram(session: Headers) {
  const codeVerifier = randomBytes(32).toString('base64url')
  const challenge = hash('sha256', codeVerifier, 'base64url')
  const { body } = await service.anonymous.post('/console/program-codes', { challenge }, session)
  return () => service.anonymous.post('/console/program-sessions', { code: body.code, codeVerifier })
}

async function newProgram(session: Headers): Promise<Headers> {
  const exchange = await allowProgram(session)
  return { ...header, cookie: (await exchange()).body.cookie }
}

const statusOf = async (session: Headers) => (await service.anonymous.get('/console/session', session)).status
const bearer = async ({ clientId, clientSecret }: Secret): Promise<Api> =>
  createApi(service.origin, service.host, await tokenOf(service.origin, service.host, clientId, clientSecret))

interface Listed {
  id: string
  kind: string
  isCurrent: boolean
  clientId?: string
  managementUserId?: string
}

async function listed(headers: Headers, query = ''): Promise<Listed[]> {
  const answer = await service.anonymous.get(`${sessions}?limit=1000${query}`, headers)
  expect(answer.status).toBe(200)
  return answer.body.data
}

test('an admin sees the sessions of people, clients and programs, and others see only their own', async () => {
  const issuer = await newClient('issuer')
  const client = await signIn(issuer)
  const ada = await signedIn(service, 'ada')
  const program = await newProgram(ada)
  const admin = await signIn(service)

  const all = await service.operator.get(`${sessions}?order=newest&limit=4`)
  expect(all.body.data).toMatchObject([
    { clientId: service.clientId, kind: 'browser', isCurrent: false },
    { managementUserId: 'ada', name: 'Ada Lovelace', kind: 'program', roles: ['issuer'], isCurrent: false },
    { managementUserId: 'ada', kind: 'browser' },
    { clientId: issuer.clientId, name: 'issuer', roles: ['issuer'], kind: 'browser' },
  ])
  expect(JSON.stringify(all.body)).not.toContain(program.cookie!.split('.')[1])
  expect((await listed(admin)).filter(({ isCurrent }) => isCurrent)).toMatchObject([{ clientId: service.clientId }])
  expect(await listed(admin, `&clientId=${issuer.clientId}`)).toMatchObject([{ clientId: issuer.clientId }])
  expect(await listed(admin, '&managementUserId=ada')).toHaveLength(2)

  const own = await listed(program)
  expect(own).toMatchObject([
    { managementUserId: 'ada', kind: 'browser', isCurrent: false },
    { managementUserId: 'ada', kind: 'program', isCurrent: true },
  ])
  expect(await listed(program, `&clientId=${issuer.clientId}`)).toEqual([])
  expect(await listed(client)).toMatchObject([{ clientId: issuer.clientId }])
  for (const role of ['helpdesk', 'viewer', 'auditor']) {
    const { status, body } = await (await service.as(role)).get(sessions)
    expect([status, body]).toEqual([200, { data: [] }])
  }
})

test('the list has the last use in steps of ten minutes, and a session that has ended is not in the list', async () => {
  const client = await newClient('auditor')
  const session = await signIn(client)
  service.clock.advance(17 * minuteMs)
  const at = service.clock.now().getTime()
  expect(await statusOf(session)).toBe(200)
  const [row] = (await service.operator.get(`${sessions}?clientId=${client.clientId}`)).body.data
  expect(Date.parse(row.lastUsedAt)).toBe(at - (at % (10 * minuteMs)))
  expect(Date.parse(row.expiresAt) - Date.parse(row.createdAt)).toBe(12 * 60 * minuteMs)

  const of = async () => (await service.operator.get(`${sessions}?clientId=${client.clientId}`)).body.data.length
  const secret = `/v1/tenants/${service.id}/clients/${client.clientId}/secret`
  await service.operator.post(secret, { overlapSeconds: 60 })
  expect(await of()).toBe(1)
  service.clock.advance(minuteMs)
  expect(await of()).toBe(0)
  await signedIn(service, 'grace')
  const ofGrace = async () => (await service.operator.get(`${sessions}?managementUserId=grace`)).body.data.length
  expect(await ofGrace()).toBe(1)
  service.clock.advance(30 * minuteMs)
  expect(await ofGrace()).toBe(0)
})

test('the next request of an ended session is refused, and a person ends only own sessions', async () => {
  const issuer = await newClient('issuer')
  const client = await signIn(issuer)
  const ada = await signedIn(service, 'ada')
  const program = await newProgram(ada)
  const [{ id: idOfClient }] = (await listed(client)) as [Listed]
  const ended = (await listed(ada)).find(({ kind }) => kind === 'program')!

  expect(await service.anonymous.delete(`${sessions}/${idOfClient}`, ada)).toMatchObject({ status: 404 })
  expect(await service.anonymous.post(`${sessions}/end`, { clientId: issuer.clientId }, ada)).toMatchObject({
    status: 403,
  })
  expect(await statusOf(client)).toBe(200)
  expect(await service.anonymous.delete(`${sessions}/${ended.id}`, ada)).toMatchObject({ status: 204 })
  expect([await statusOf(program), await statusOf(ada)]).toEqual([401, 200])
  expect(await service.anonymous.delete(`${sessions}/${ended.id}`, ada)).toMatchObject({ status: 404 })
  expect(await service.operator.delete(`${sessions}/${idOfClient}`)).toMatchObject({ status: 204 })
  expect(await statusOf(client)).toBe(401)
})

test('all sessions of a person end at once, and a program that they allowed gets none', async () => {
  const [ada, other, grace] = [
    await signedIn(service, 'ada'),
    await signedIn(service, 'ada'),
    await signedIn(service, 'grace'),
  ]
  const program = await newProgram(ada)
  const exchange = await allowProgram(ada)
  const { status, body } = await service.operator.post(`${sessions}/end`, { managementUserId: 'ada' })
  expect([status, body.ended]).toEqual([200, expect.any(Number)])
  for (const session of [ada, other, program]) expect(await statusOf(session)).toBe(401)
  expect((await exchange()).status).toBe(401)
  expect(await statusOf(grace)).toBe(200)
  // A person ends the own ones, and signs in again.
  expect(await service.anonymous.post(`${sessions}/end`, { managementUserId: 'grace' }, grace)).toMatchObject({
    status: 200,
  })
  expect(await statusOf(grace)).toBe(401)
  expect(await statusOf(await signedIn(service, 'ada'))).toBe(200)
})

test('all sessions and tokens of a client end at once, and its secret gives new ones', async () => {
  const client = await newClient('issuer')
  const [api, session] = [await bearer(client), await signIn(client)]
  expect(await api.get('/v1/users')).toMatchObject({ status: 200 })
  const { clientId } = client
  expect(await service.operator.post(`${sessions}/end`, { clientId })).toMatchObject({
    status: 200,
    body: { ended: 1 },
  })
  expect(await api.get('/v1/users')).toMatchObject({ status: 401 })
  expect(await statusOf(session)).toBe(401)
  const next = await bearer(client)
  expect(await next.get('/v1/users')).toMatchObject({ status: 200 })
  // A program ends its own tokens.
  expect(await next.post(`${sessions}/end`, { clientId })).toMatchObject({ status: 200, body: { ended: 0 } })
  expect(await next.get('/v1/users')).toMatchObject({ status: 401 })
})

test('an admin who ends all sessions of a person rejects the requests of this person that wait for an approval', async () => {
  await service.operator.put('/v1/settings?partial=true', { approvals: { statusChanges: 0 } })
  const [ada, grace] = [await signedIn(service, 'ada'), await signedIn(service, 'grace')]
  const ask = async (session: Headers) => {
    const change = { credentials: [randomUUID()], isRevoked: true }
    const { status, body } = await service.anonymous.post('/v2/credentials/revocation-status', change, session)
    expect(status).toBe(202)
    return `/v1/approvals/${body.approval.id}`
  }
  const [ofAda, ofGrace] = [[await ask(ada), await ask(ada)], await ask(grace)]
  const stateOf = async (path: string) => (await service.operator.get(path)).body.state
  // People keep their requests when they end their own sessions.
  expect(await service.anonymous.post(`${sessions}/end`, { managementUserId: 'grace' }, grace)).toMatchObject({
    status: 200,
  })
  const other = await service.addTenant()
  await other.operator.post(`${sessions}/end`, { managementUserId: 'ada' })
  for (const path of [...ofAda, ofGrace]) expect(await stateOf(path)).toBe('waiting')

  const { headers } = await service.operator.post(`${sessions}/end`, { managementUserId: 'ada' })
  for (const path of ofAda) {
    expect((await service.operator.get(path)).body).toMatchObject({
      state: 'rejected',
      decidedBy: { clientId: service.clientId },
    })
    expect((await service.operator.post(`${path}/approve`, {})).status).toBe(409)
  }
  expect(await stateOf(ofGrace)).toBe('waiting')
  const ofRequest = `/v1/events?requestIds=${headers['x-request-id']}&types=APPROVAL_REJECT_AUDIT`
  const rows = await eventually(async () => {
    const { data } = (await service.operator.get(ofRequest)).body
    return data.length === 2 && data
  })
  expect(rows.map(({ data }: { data: object }) => data)).toEqual(
    expect.arrayContaining(
      ofAda.map((path) => ({
        ...{ id: path.split('/').at(-1), operation: 'setRevocationStatuses', askedByManagementUserId: 'ada' },
      })),
    ),
  )
})

test('a program that gets its session while all sessions end has none afterwards', async () => {
  const ada = await signedIn(service, 'ada')
  const { id } = (await listed(ada)).find(({ isCurrent }) => isCurrent)!
  const { deps } = service
  const { ending } = await deps.db.tx(async (tx) => {
    // As an exchange does, on PostgreSQL between the begin and the end of the first delete.
    const session = await hold(tx, consoleSessions, service.id, id)
    const answer = service.operator.post(`${sessions}/end`, { managementUserId: 'ada' })
    if (dialect === 'postgres') await eventually(async () => (await waitingForLocks(service)) > 0)
    await insertConsoleSession(tx, { ...session!, id: newId(), kind: 'program' })
    return { ending: answer }
  })
  expect((await ending).status).toBe(200)
  expect((await service.operator.get(`${sessions}?managementUserId=ada`)).body.data).toEqual([])
})

test('ends sessions after it has locked the approvals of the person', { tags: 'postgres' }, async () => {
  await signedIn(service, 'grace')
  const approvalId = await newWaitingApproval(service, service.id, 'grace')
  const ofGrace = and(eq(consoleSessions.tenantId, service.id), eq(consoleSessions.managementUserId, 'grace'))
  const { ending } = await service.deps.db.tx(async (tx) => {
    // As a decision does, which takes other locks afterwards.
    await hold(tx, approvals, service.id, approvalId)
    const answer = service.operator.post(`${sessions}/end`, { managementUserId: 'grace' })
    await eventually(async () => (await waitingForLocks(service)) > 0)
    const free = await tx.select().from(consoleSessions).where(ofGrace).for('update', { skipLocked: true })
    expect(free.length).toBeGreaterThan(0)
    return { ending: answer }
  })
  expect((await ending).status).toBe(200)
  expect((await service.operator.get(`/v1/approvals/${approvalId}`)).body.state).toBe('rejected')
})

test('an admin of another tenant sees and ends nothing, and wrong bodies are named', async () => {
  const other = await service.addTenant()
  const client = await newClient('issuer')
  const [session, api] = [await signIn(client), await bearer(client)]
  const [{ id }] = (await listed(session)) as [Listed]
  expect((await other.operator.get(`${sessions}?clientId=${client.clientId}`)).body).toEqual({ data: [] })
  expect(await other.operator.delete(`${sessions}/${id}`)).toMatchObject({ status: 404 })
  for (const body of [{ clientId: client.clientId }, { clientId: randomUUID() }])
    expect(await other.operator.post(`${sessions}/end`, body)).toMatchObject({
      status: 400,
      body: { details: [{ param: 'clientId', msg: 'Resource Not Found' }] },
    })
  const ada = await signedIn(service, 'ada')
  expect(await other.operator.post(`${sessions}/end`, { managementUserId: 'ada' })).toMatchObject({
    status: 200,
    body: { ended: 0 },
  })
  expect([await statusOf(session), await statusOf(ada), (await api.get('/v1/users')).status]).toEqual([200, 200, 200])
  for (const body of [{}, { clientId: client.clientId, managementUserId: 'ada' }])
    expect(await service.operator.post(`${sessions}/end`, body)).toMatchObject({
      status: 400,
      body: { details: [{ msg: 'Send either clientId or managementUserId', location: 'body' }] },
    })
})

test('a client of the platform ends sessions of the platform only', async () => {
  const { body: own } = await service.platform.get('/console/session')
  const made = await service.platform.post(`/v1/tenants/${own.tenantId}/clients`, { name: 'P', roles: ['platform'] })
  const platform = createApi(service.origin, service.deps.config.platformHost)
  const { clientId, clientSecret } = made.body
  const answer = await platform.post('/console/session', { clientId, clientSecret }, header)
  const session = { ...header, cookie: cookieIn(answer, 'console')! }
  expect((await service.platform.get(sessions)).body.data).toMatchObject([{ clientId, roles: ['platform'] }])
  expect(await service.platform.post(`${sessions}/end`, { clientId: service.clientId })).toMatchObject({ status: 400 })
  expect(await service.platform.post(`${sessions}/end`, { clientId })).toMatchObject({ body: { ended: 1 } })
  expect((await platform.get('/console/session', session)).status).toBe(401)
})

test('events and the audit say who ended whose sessions', async () => {
  const { headers } = await service.operator.post(`${sessions}/end`, { managementUserId: 'ada' })
  const ofRequest = `/v1/events?requestIds=${headers['x-request-id']}`
  const events = await eventually(async () => {
    const { body } = await service.operator.get(ofRequest)
    return body.data.length === 3 && body.data
  })
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'CONSOLE_SESSIONS_END_AUDIT',
      clientId: service.clientId,
      data: { ofManagementUserId: 'ada', ended: expect.any(Number) },
    }),
  )
})
