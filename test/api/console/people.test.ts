import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertConsoleSession } from '../../../db/repos/console/sessions.ts'
import { listAuditEvents } from '../../../db/repos/operations/audit/audit.ts'
import { checkChains } from '../../../db/repos/operations/audit/audit-chain.ts'
import { consoleSessions } from '../../../db/tables/console/sessions.ts'
import { newId } from '../../../shared/ids.ts'
import { type Api, createApi } from '../../harness/api-client.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { newRevocable } from '../../harness/revocable.ts'
import { pdf, uploadTo } from '../../harness/uploads.ts'
import { startForgingProvider } from '../../servers/forging-provider.ts'
import type { RunningProvider } from '../../servers/provider.ts'
import { newEcosystem, newParticipant } from '../ecosystems/factories.ts'
import {
  atProvider,
  begin,
  callbackPath,
  cookieIn,
  header,
  redirectTarget,
  returnToConsole,
  runProviderFor,
  settingsFor,
  signedIn,
} from './provider-people.ts'

const settings = '/v1/sign-in-provider'
const session = '/console/session'
const unauthorized = { status: 401, body: 'Unauthorized' }
const minuteMs = 60_000

let service: Service
let provider: RunningProvider
let alias: string
beforeAll(async () => {
  service = await startService()
  const { body } = await service.platform.get(`/v1/tenants/${service.id}`)
  alias = `${body.subdomain}.${service.deps.config.platformDomain}`
  provider = await runProviderFor(service.baseUrl, `http://${alias}`)
  expect(await service.operator.put(settings, settingsFor(provider))).toMatchObject({ status: 200 })
})
afterAll(async () => {
  await provider[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

const getSession = (headers: Record<string, string>) => service.anonymous.get(session, headers)

/** Returns an API client with the session of a user. */
function apiOf(headers: Record<string, string>, { anonymous }: TestTenant = service): Api {
  const send: Api['send'] = (method, path, body, more = {}) =>
    anonymous.send(method, path, body, { ...headers, ...more })
  return {
    send,
    get: (path, more) => send('GET', path, undefined, more),
    post: (path, body, more) => send('POST', path, body, more),
    put: (path, body, more) => send('PUT', path, body, more),
    delete: (path, more) => send('DELETE', path, undefined, more),
  }
}

describe("a user's session ends", () => {
  test('after half an hour without use, and after twelve hours in any case', async () => {
    const [left, used] = [await signedIn(service, 'ada'), await signedIn(service, 'ada')]
    const restMs = 29 * minuteMs
    for (let passedMs = restMs; passedMs < 12 * 60 * minuteMs; passedMs += restMs) {
      service.clock.advance(restMs)
      expect(await getSession(used)).toMatchObject({ status: 200 })
    }
    expect(await getSession(left)).toMatchObject(unauthorized)
    service.clock.advance(restMs)
    expect(await getSession(used)).toMatchObject(unauthorized)
  })

  test('with its sign-out, and when another user signs in with the same browser', async () => {
    const headers = await signedIn(service, 'ada')
    const begun = await begin(service, {}, headers)
    const answer = await returnToConsole(service, await atProvider(begun, 'grace'), begun.cookie)
    expect(await getSession(headers)).toMatchObject(unauthorized)
    const next = { ...header, cookie: cookieIn(answer, 'console')! }
    expect(await getSession(next)).toMatchObject({ status: 200, body: { managementUserId: 'grace' } })
    expect(await service.anonymous.delete(session, next)).toMatchObject({ status: 204 })
    expect(await getSession(next)).toMatchObject(unauthorized)
  })

  const changes: Record<string, object> = {
    'the claim': { claim: 'realm_access.roles' },
    'the claim that names users': { userClaim: 'name' },
    'the roles of a value': { roles: [{ value: 'registry', roles: ['verifier'] }] },
    'the list of values': { roles: [{ value: 'others', roles: ['issuer'] }] },
    'the client id': { clientId: 'another' },
    'the issuer': { issuer: 'https://login.example', clientSecret: 'x' },
  }
  test.each(Object.keys(changes))('when %s changes, even if the change is reverted', async (name) => {
    const before = settingsFor(provider)
    const headers = await signedIn(service, 'ada')
    const client = await service.anonymous.post(
      session,
      { clientId: service.clientId, clientSecret: service.clientSecret },
      header,
    )
    for (const body of [{ ...before, ...changes[name] }, before]) {
      expect(await service.operator.put(settings, body)).toMatchObject({ status: 200 })
      expect(await getSession(headers)).toMatchObject(unauthorized)
    }
    expect(await getSession({ ...header, cookie: cookieIn(client, 'console')! })).toMatchObject({ status: 200 })
  })

  test('when the provider is deleted, even if the same provider is configured again', async () => {
    const headers = await signedIn(service, 'ada')
    await service.operator.delete(settings)
    expect(await getSession(headers)).toMatchObject(unauthorized)
    await service.operator.put(settings, settingsFor(provider))
    expect(await getSession(headers)).toMatchObject(unauthorized)
  })

  test('when the stored provider hash differs from that of the settings', async () => {
    const headers = await signedIn(service, 'ada')
    const mine = eq(consoleSessions.managementUserId, 'ada')
    await service.deps.db.tx((tx) => tx.update(consoleSessions).set({ providerHash: 'of others' }).where(mine))
    expect(await getSession(headers)).toMatchObject(unauthorized)
  })

  test('but not after a change of name, secret or scope', async () => {
    const headers = await signedIn(service, 'ada')
    const change = { name: 'Other', clientSecret: 'another', scope: ['openid'] }
    await service.operator.put(settings, { ...settingsFor(provider), ...change })
    expect(await getSession(headers)).toMatchObject({ status: 200 })
    await service.operator.put(settings, settingsFor(provider))
  })

  test('after 100 further sign-ins of the user, but not of other users', async () => {
    const [first, grace] = [await signedIn(service, 'ada'), await signedIn(service, 'grace')]
    const { db } = service.deps
    const ofAda = () => db.read.select().from(consoleSessions).where(eq(consoleSessions.managementUserId, 'ada'))
    const row = (await ofAda()).sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime()).at(-1)!
    const later = { createdAt: new Date(row.createdAt.getTime() + 1) }
    await db.tx(async (tx) => {
      for (let made = 0; made < 99; made++) await insertConsoleSession(tx, { ...row, ...later, id: newId() })
    })
    expect(await getSession(first)).toMatchObject({ status: 200 })
    service.clock.advance(1000)
    await signedIn(service, 'ada')
    expect(await getSession(first)).toMatchObject(unauthorized)
    expect(await getSession(grace)).toMatchObject({ status: 200 })
    expect(await ofAda()).toHaveLength(100)
  })
})

test('events and the audit name the user, and the audit chain is valid', async () => {
  const headers = await signedIn(service, 'grace')
  const grace = apiOf(headers)
  const hook = { events: ['OpenIdCredentialIssued'], url: 'https://hook.example/of-grace' }
  const answers = [
    await grace.post('/v1/webhooks', hook),
    await grace.post('/v1/keys/webhooks/rotate'),
    await grace.post('/v1/messaging/inboxes', {}),
    await grace.get('/v1/messaging/inboxes'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 400, 200])
  const tess = apiOf(await signedIn(service, 'tess'))
  expect(await tess.delete(`/v1/webhooks/${answers[0]!.body.id}`)).toMatchObject({ status: 204 })

  const types = await eventually(async () => {
    const { body } = await grace.get('/v1/events?managementUserIds=grace&limit=200')
    const all: Record<string, string>[] = body.data
    expect(
      all.filter(({ managementUserId, clientId }) => managementUserId !== 'grace' || clientId !== undefined),
    ).toEqual([])
    const types = all.map(({ type }) => type)
    return (
      types.includes('MESSAGING_INBOX_CREATE_FAIL') && types.includes('MESSAGING_INBOX_RETRIEVE_LIST_SUCCESS') && types
    )
  })
  const expected = ['WEBHOOK_CREATE_START', 'WEBHOOK_CREATE_SUCCESS', 'WEBHOOK_CREATE_AUDIT', 'CONSOLE_SIGN_IN_AUDIT']
  expect(types).toEqual(expect.arrayContaining(expected))
  expect(types).not.toContain('WEBHOOK_DELETE_AUDIT')

  const { rows } = await listAuditEvents(service.deps.db.read, service.id, {}, 100)
  const rotated = rows.find(({ requestId }) => requestId === answers[1]!.headers['x-request-id'])
  expect(rotated).toMatchObject({ managementUserId: 'grace', clientId: null })
  const ofTess = await service.operator.get('/v1/events?categories=AUDIT&managementUserIds=tess')
  expect(ofTess.body.data.map(({ type }: { type: string }) => type)).toEqual([
    'WEBHOOK_DELETE_AUDIT',
    'CONSOLE_SIGN_IN_AUDIT',
  ])
  for await (const report of checkChains(service.deps.db.read, new Map())) expect(report).toHaveProperty('head')
})

test('a status change in a batch is audited with its user', async () => {
  const grace = apiOf(await signedIn(service, 'grace'))
  const { credentialId } = await newRevocable(service, service.id)
  const answer = await grace.post(`/v2/credentials/compact/${credentialId}/revocation-status`, { isRevoked: true })
  expect(answer.status).toBeLessThan(300)
  const { rows } = await listAuditEvents(service.deps.db.read, service.id, {}, 5)
  const row = rows.find(({ requestId }) => requestId === answer.headers['x-request-id'])
  expect(row).toMatchObject({ managementUserId: 'grace', clientId: null })
})

test('evidence names the user or the client that uploaded it', async () => {
  const ecosystem = await newEcosystem(service)
  const path = `${await newParticipant(service, ecosystem)}/evidence`
  const tess = apiOf(await signedIn(service, 'tess'))
  expect((await uploadTo(tess, path, ['file', pdf()])).body.uploadedBy).toStrictEqual({ managementUserId: 'tess' })
  expect((await uploadTo(service.operator, path, ['file', pdf()])).body.uploadedBy).toStrictEqual({
    clientId: service.clientId,
  })
})

test('a user without the role is refused, and the audit names the user', async () => {
  const ada = apiOf(await signedIn(service, 'ada'))
  const refused = await ada.get('/v1/events')
  expect(refused).toMatchObject({ status: 403 })
  expect(refused.headers['www-authenticate']).toMatch(
    /The user needs one of the roles admin, auditor, viewer\. Roles of the user: issuer/,
  )
  const [event] = await eventually(async () => {
    const { body } = await service.operator.get('/v1/events?managementUserIds=ada&types=CONSOLE_SIGN_IN_AUDIT')
    return body.data.length > 0 && body.data
  })
  expect(event).toMatchObject({ managementUserId: 'ada', data: { roles: ['issuer'] } })
})

test('a sign-in at an alias returns to the alias', async () => {
  const there = { anonymous: createApi(service.origin, alias) }
  const begun = await begin(there)
  expect(begun.url.searchParams.get('redirect_uri')).toBe(`http://${alias}${callbackPath}`)
  const headers = await signedIn(there, 'ada')
  expect(await there.anonymous.get(session, headers)).toMatchObject({ status: 200 })
})

test('a session requires a valid ID token', async () => {
  const tenant = await service.addTenant()
  await using forging = await startForgingProvider('trustwright')
  const client = { url: forging.url, clientId: 'trustwright', clientSecret: 'of the client, and long enough' }
  await tenant.operator.put(settings, settingsFor({ ...provider, ...client }))
  const resultFor = async (forgery: typeof forging.forgery) => {
    const { url, cookie } = await begin(tenant)
    const { nonce = '', state = '' } = Object.fromEntries(url.searchParams)
    Object.assign(forging, { nonce, forgery })
    const callback = new URL(`${callbackPath}?code=x&state=${encodeURIComponent(state)}`, tenant.baseUrl)
    return redirectTarget(await returnToConsole(tenant, callback, cookie))
  }
  const groups = ['registry']
  const past = Math.floor(Date.now() / 1000) - 3600
  const bad: Record<string, typeof forging.forgery> = {
    'of another issuer': { claims: { groups, iss: 'https://login.example' } },
    'for another audience': { claims: { groups, aud: 'another' } },
    'for several audiences': { claims: { groups, aud: ['trustwright', 'another'], azp: 'another' } },
    'with another nonce': { claims: { groups, nonce: 'x' } },
    'without a nonce': { claims: { groups, nonce: undefined } },
    'that is expired': { claims: { groups, exp: past } },
    'without an expiry': { claims: { groups, exp: undefined } },
    'without a subject': { claims: { groups, sub: undefined } },
    'signed with another key': { claims: { groups }, signed: 'stranger' },
    'without a signature': { claims: { groups }, signed: 'none' },
    "signed with the client's secret": { claims: { groups }, signed: { secret: client.clientSecret } },
    'that is missing': { isMissing: true },
    'with the userinfo of another user': { userInfo: { sub: 'grace', groups } },
  }
  for (const [name, forgery] of Object.entries(bad))
    expect([name, await resultFor(forgery)]).toEqual([name, '/console/#error=failed'])
  const others: [string, typeof forging.forgery][] = [
    ['no_role', { userInfo: { sub: 'ada' } }],
    ['no_role', { claims: { groups: { registry: true } } }],
    ['no_role', { claims: { groups: [['registry']] } }],
    ['failed', { claims: { groups, sub: 'a\u0007' } }],
    ['failed', { claims: { groups, sub: 'a'.repeat(201) } }],
  ]
  for (const [word, forgery] of others) expect(await resultFor(forgery)).toBe(`/console/#error=${word}`)
  expect(await resultFor({ claims: { groups } })).toBe('/console/')
  expect(await resultFor({ userInfo: { sub: 'ada', groups } })).toBe('/console/')
})
