import { afterAll, beforeAll, expect, test } from 'vitest'
import { findConsoleProvider } from '../../../db/repos/console/providers.ts'
import { createApi } from '../../harness/api-client.ts'
import { type Service, startService } from '../../harness/harness.ts'
import { ada, runProvider } from '../../servers/provider.ts'
import { startReceiver } from '../../servers/receiver.ts'

const path = '/v1/sign-in-provider'
const minimal = {
  name: 'University login',
  issuer: 'https://login.example.com/realm',
  clientId: 'trustwright',
  clientSecret: 'kept secret between us',
  claim: 'groups',
  roles: [{ value: 'staff', roles: ['issuer'] }],
}

let service: Service
beforeAll(async () => {
  service = await startService({ roles: ['signing'] })
})
afterAll(() => service[Symbol.asyncDispose]())

test('a provider is set, shown with a masked secret, replaced and deleted, and a tenant has at most one', async () => {
  const { operator, baseUrl } = await service.addTenant()
  expect(await operator.get(path)).toMatchObject({ status: 404, body: { code: 'NotFound' } })
  const put = await operator.put(path, minimal)
  const view = {
    ...minimal,
    id: put.body.id,
    redirectUrl: `${baseUrl}/console/session/callback`,
    clientSecret: '********en us',
    tokenEndpointAuthMethod: 'client_secret_basic',
    assertionAudience: 'issuer',
    scope: ['openid', 'profile'],
    userClaim: 'sub',
  }
  expect([put.status, put.body]).toStrictEqual([200, view])
  expect((await operator.get(path)).body).toStrictEqual(view)
  const other = {
    ...{ name: 'Other', clientId: 'another', tokenEndpointAuthMethod: 'client_secret_post', userClaim: 'email' },
    ...{ claim: 'realm_access.roles', scope: ['email', 'openid'], clientSecret: 'a new secret' },
    roles: [{ value: 'a, b/c', roles: ['admin', 'auditor'] }],
  }
  const replaced = await operator.put(path, { ...minimal, ...other })
  expect(replaced.body).toStrictEqual({ ...view, ...other, clientSecret: '********' })
  expect(await operator.delete(path)).toMatchObject({ status: 204, body: undefined })
  expect(await operator.delete(path)).toMatchObject({ status: 404 })
  expect(await operator.get(path)).toMatchObject({ status: 404 })
})

test('a change for an older version of the provider is refused', async () => {
  const { operator } = await service.addTenant()
  expect(await operator.put(path, minimal, { 'if-match': '"x"' })).toMatchObject({ status: 412 })
  const first = await operator.put(path, minimal)
  const { headers } = await operator.get(path)
  expect(headers.etag).toBe(first.headers.etag)
  const version = { 'if-match': String(headers.etag) }
  expect(await operator.put(path, { ...minimal, name: 'One' }, version)).toMatchObject({ status: 200 })
  expect(await operator.put(path, { ...minimal, name: 'Two' }, version)).toMatchObject({ status: 412 })
  expect((await operator.get(path)).body.name).toBe('One')
})

test('the secret is stored sealed, stays if it is omitted or masked, and is never sent to another origin', async () => {
  const { operator, id } = await service.addTenant()
  const { clientSecret, ...rest } = minimal
  expect(await operator.put(path, rest)).toMatchObject({ status: 400, body: { details: [{ param: 'clientSecret' }] } })
  const { body: shown } = await operator.put(path, minimal)
  const stored = async () => JSON.stringify(await findConsoleProvider(service.deps.db.read, id))
  for (const body of [rest, shown, minimal]) {
    expect((await operator.put(path, body)).body.clientSecret).toBe(shown.clientSecret)
    expect(await stored()).not.toContain(clientSecret)
  }
  const refused = { status: 400, body: { details: [{ param: 'clientSecret', location: 'body' }] } }
  const moved = { ...shown, issuer: 'https://login.example.org/realm' }
  for (const method of ['', '/test'] as const) {
    const save = (body: object) => (method ? operator.post(path + method, body) : operator.put(path, body))
    expect(await save(moved)).toMatchObject(refused)
    expect(await save({ ...rest, issuer: moved.issuer })).toMatchObject(refused)
    expect(await save({ ...shown, clientSecret: '********other' })).toMatchObject(refused)
  }
  expect(await operator.put(path, { ...moved, clientSecret: 'another' })).toMatchObject({ status: 200 })
})

test.each<[string, object, string, RegExp]>([
  ['an unknown role', { roles: [{ value: 'a', roles: ['issuer', 'king'] }] }, 'roles.0.roles.1', /./],
  ['a role of the platform', { roles: [{ value: 'a', roles: ['platform'] }] }, 'roles.0.roles.0', /the platform/],
  ['no role', { roles: [{ value: 'a', roles: [] }] }, 'roles.0.roles', /./],
  ['an empty list of roles', { roles: [] }, 'roles', /./],
  ['a duplicate value', { roles: [minimal.roles[0], minimal.roles[0]] }, 'roles', /twice/],
  ['scopes without openid', { scope: ['profile'] }, 'scope', /openid/],
  ['no claim', { claim: '' }, 'claim', /claim/],
  ['a private address', { issuer: 'https://10.0.0.1' }, 'issuer', /host/],
  ['plain http', { issuer: 'http://login.example.com' }, 'issuer', /https/],
])('%s is refused and changes nothing', async (_what, change, param, msg) => {
  const answer = await service.operator.put(path, { ...minimal, ...change })
  expect(answer).toMatchObject({
    status: 400,
    body: { details: [{ param, location: 'body', msg: expect.stringMatching(msg) }] },
  })
  expect(await service.operator.get(path)).toMatchObject({ status: 404 })
})

test('only admins at hosts of tenants manage providers', async () => {
  for (const role of ['issuer', 'verifier', 'auditor'])
    expect(await (await service.as(role)).put(path, minimal)).toMatchObject({ status: 403 })
  expect(await service.platform.put(path, minimal)).toMatchObject({ status: 404 })
})

test('the test of a provider reports its checks and stores nothing', async () => {
  await using provider = await runProvider({
    redirectUris: [`${service.baseUrl}/console/session/callback`],
    users: [ada],
  })
  const { url: issuer, clientId, clientSecret } = provider
  const good = { ...minimal, issuer, clientId, clientSecret, claim: 'name' }
  const runChecks = async (change: object) => {
    const { status, body } = await service.operator.post(`${path}/test`, { ...good, ...change })
    expect(status).toBe(200)
    const results = body.checks.map(({ check, result }: { check: string; result: string }) => [check, result])
    return { works: body.works, redirectUrl: body.redirectUrl, ...Object.fromEntries(results) }
  }
  const all = {
    discovery: 'passed',
    keys: 'passed',
    flow: 'passed',
    client: 'passed',
    scope: 'passed',
    claim: 'passed',
  }
  const redirectUrl = `${service.baseUrl}/console/session/callback`
  expect(await runChecks({})).toEqual({ works: true, redirectUrl, ...all })
  expect(await runChecks({ clientSecret: 'wrong' })).toMatchObject({ works: false, client: 'failed' })
  expect(await runChecks({ clientId: 'wrong' })).toMatchObject({ works: false, client: 'failed' })
  expect(await runChecks({ scope: ['openid', 'groups'], claim: 'groups' })).toMatchObject({
    ...{ works: true, scope: 'unknown', claim: 'unknown' },
  })
  expect(await runChecks({ issuer: `${issuer}/` })).toMatchObject({ discovery: 'passed' })
  expect(await runChecks({ issuer: 'http://127.0.0.1:1' })).toEqual({ works: false, redirectUrl, discovery: 'failed' })
  expect(await service.operator.get(path)).toMatchObject({ status: 404 })
})

test('the test reports incomplete metadata without the content of the response', async () => {
  const description = { jwks_uri: '/jwks', authorization_endpoint: '/authorize', token_endpoint: '/token' }
  let more: Record<string, unknown> = {}
  await using elsewhere = await startReceiver((request) => {
    const url = `http://${request.headers.host}`
    if (request.path !== '/.well-known/openid-configuration') return { status: 200, body: 'between us' }
    const endpoints = Object.entries(description).map(([name, at]) => [name, url + at])
    return { status: 200, body: JSON.stringify({ issuer: url, ...Object.fromEntries(endpoints), ...more }) }
  })
  const runChecks = async (change: Record<string, unknown>) => {
    more = change
    const { body } = await service.operator.post(`${path}/test`, { ...minimal, issuer: new URL(elsewhere.url).origin })
    expect(JSON.stringify(body)).not.toContain('between us')
    return Object.fromEntries(
      body.checks.map(({ check, result }: { check: string; result: string }) => [check, result]),
    )
  }
  expect(await runChecks({})).toEqual({
    ...{ discovery: 'passed', keys: 'failed', flow: 'unknown', client: 'unknown', scope: 'unknown', claim: 'unknown' },
  })
  for (const wrong of [
    { response_types_supported: ['id_token'] },
    { code_challenge_methods_supported: ['plain'] },
    { token_endpoint_auth_methods_supported: ['private_key_jwt'] },
    { token_endpoint: undefined },
  ])
    expect(await runChecks(wrong), JSON.stringify(wrong)).toMatchObject({ flow: 'failed' })
  expect(await runChecks({ issuer: 'https://another.example' })).toEqual({ discovery: 'failed' })
})

test('sign-in options are public: whether there is a provider, and the label of its button', async () => {
  const { operator, anonymous } = await service.addTenant()
  const ways = '/console/session/provider'
  const none = { isPlatform: false, tenantName: expect.any(String) }
  expect((await anonymous.get(ways)).body).toEqual(none)
  await operator.put(path, minimal)
  expect((await anonymous.get(ways)).body).toEqual({ ...none, provider: { name: 'University login' } })
  const platform = createApi(service.origin, service.deps.config.platformHost)
  expect((await platform.get(ways)).body).toEqual({ isPlatform: true, tenantName: 'Platform' })
})
