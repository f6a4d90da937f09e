import { afterAll, beforeAll, expect, test } from 'vitest'
import { findAuthorizationServer } from '../../../db/repos/issuance/authorization-servers.ts'
import { authorizationServerContext } from '../../../shared/secrets/stored-contexts.ts'
import { compactConfiguration } from '../../harness/factories.ts'
import { type Service, startService } from '../../harness/harness.ts'
import { startTokenServer, type TokenServer } from '../../servers/token-server.ts'

const path = '/v1/openid/authorization-servers'
const away = { name: 'City', issuer: 'https://login.example.com/realms/city', audience: 'https://issuer.example.com' }
const client = { clientId: 'trustwright', clientSecret: 'a-secret-between-the-two' }
const asked = { introspection: client }

let service: Service
let server: TokenServer
beforeAll(async () => {
  service = await startService()
  server = await startTokenServer('https://issuer.example.com')
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await service[Symbol.asyncDispose]()
})

/** The settings of the running server. */
const running = () => ({ ...away, issuer: server.issuer })

test('a server is created, listed, replaced and deleted', async () => {
  const tenant = await service.addTenant()
  const { operator } = tenant
  const configurationId = await compactConfiguration(tenant)
  const created = await operator.post(path, { ...running(), scopes: { card: configurationId } })
  const view = {
    ...running(),
    id: created.body.id,
    jwtProfile: 'at+jwt',
    scopes: { card: configurationId },
    subjectClaim: 'sub',
    claimsToPersist: [],
    userInfo: false,
  }
  expect(created).toMatchObject({ status: 201 })
  expect(created.body).toStrictEqual(view)
  expect((await operator.get(path)).body).toStrictEqual({ data: [view] })
  const changed = await operator.put(`${path}/${view.id}`, { ...running(), name: 'Town', jwtProfile: 'keycloak' })
  expect(changed).toMatchObject({ status: 200, body: { name: 'Town', jwtProfile: 'keycloak', scopes: {} } })
  expect(await operator.delete(`${path}/${view.id}`)).toMatchObject({ status: 204 })
  expect(await operator.get(`${path}/${view.id}`)).toMatchObject({ status: 404 })
})

test('a server that cannot be reached is stored with a warning', async () => {
  const { operator } = await service.addTenant()
  const { status, body } = await operator.post(path, away)
  expect([status, body.warnings.length]).toEqual([201, 1])
  expect(body.warnings[0]).toContain('Tokens of the server cannot be checked yet')
  expect((await operator.get(`${path}/${body.id}`)).body).not.toHaveProperty('warnings')
})

test('a server with the document of RFC 8414 alone is discovered', async () => {
  const { operator } = await service.addTenant()
  await using plain = await startTokenServer('https://issuer.example.com')
  plain.discoveryPath = '/.well-known/oauth-authorization-server'
  const { status, body } = await operator.post(path, { ...away, issuer: plain.issuer })
  expect([status, body.warnings]).toEqual([201, undefined])
})

test.each([
  ['names another issuer', { issuer: 'https://other.example.com' }, {}, 'issuer', 'has another issuer'],
  ['has no jwks_uri', { jwks_uri: undefined }, {}, 'issuer', 'has no jwks_uri'],
  [
    'has no introspection_endpoint',
    { introspection_endpoint: undefined },
    asked,
    'introspection',
    'has no introspection_endpoint',
  ],
  [
    'has no userinfo_endpoint',
    { userinfo_endpoint: undefined },
    { userInfo: true },
    'userInfo',
    'no userinfo_endpoint',
  ],
])('a server whose discovery document %s is refused, and nothing changes', async (_, metadata, body, param, msg) => {
  const { operator } = await service.addTenant()
  await using faulty = await startTokenServer('https://issuer.example.com')
  const settings = { ...away, issuer: faulty.issuer, ...body }
  const { body: before } = await operator.post(path, settings)
  faulty.metadata = metadata
  const refused = await operator.put(`${path}/${before.id}`, { ...settings, name: 'Changed' })
  const details = [expect.objectContaining({ param, msg: expect.stringContaining(msg) })]
  expect(refused).toMatchObject({ status: 400, body: { details } })
  expect((await operator.get(path)).body.data).toMatchObject([{ id: before.id, name: 'City' }])
  await operator.delete(`${path}/${before.id}`)
  expect(await operator.post(path, settings)).toMatchObject({ status: 400, body: { details } })
  expect((await operator.get(path)).body.data).toEqual([])
})

test('a host of this service is refused as its own authorization server', async () => {
  const [{ operator, baseUrl }, other] = [await service.addTenant(), await service.addTenant()]
  const { platformHost, publicScheme } = service.deps.config
  for (const issuer of [baseUrl, other.baseUrl, `${baseUrl}/realms/city`, `${publicScheme}://${platformHost}`]) {
    const refused = await operator.post(path, { ...away, issuer })
    const details = [expect.objectContaining({ param: 'issuer', msg: expect.stringContaining('host of this service') })]
    expect(refused, issuer).toMatchObject({ status: 400, body: { details } })
  }
})

test.each([
  ['introspection without a secret', { introspection: { clientId: 'trustwright' } }, 'introspection.clientSecret'],
  [
    'a secret with private_key_jwt',
    { introspection: { ...client, tokenEndpointAuthMethod: 'private_key_jwt' } },
    'introspection.clientSecret',
  ],
  ['an unknown configuration', { scopes: { card: 'none' } }, 'scopes.card'],
  ['a name that is no scope', { scopes: { 'a card': 'none' } }, 'scopes.a card'],
  ['an address of this network', { issuer: 'https://10.0.0.1' }, 'issuer'],
])('%s is refused', async (_, changes, param) => {
  const { operator } = await service.addTenant()
  const refused = await operator.post(path, { ...away, ...changes })
  expect(refused).toMatchObject({ status: 400, body: { details: [expect.objectContaining({ param })] } })
})

test('a tenant has at most five servers, each with another issuer, and one with introspection', async () => {
  const { operator } = await service.addTenant()
  const issuerOf = (index: number) => `https://login-${index}.example.com`
  const atOnce = [0, 1, 2, 3, 4, 5, 6].map((index) => operator.post(path, { ...away, issuer: issuerOf(index) }))
  const statuses = (await Promise.all(atOnce)).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([201, 201, 201, 201, 201, 409, 409])
  const [first, second] = (await operator.get(path)).body.data
  await operator.delete(`${path}/${first.id}`)
  expect(await operator.post(path, { ...away, issuer: second.issuer })).toMatchObject({ status: 409 })
  expect(await operator.post(path, { ...away, ...asked, issuer: first.issuer })).toMatchObject({ status: 201 })
  const another = await operator.put(`${path}/${second.id}`, { ...away, ...asked, issuer: second.issuer })
  expect(another).toMatchObject({ status: 409, body: { message: expect.stringContaining('introspection') } })
})

test('the client secret is stored encrypted, kept by its mask, and required again at another origin', async () => {
  const { operator, id: tenantId } = await service.addTenant()
  const body = { ...running(), ...asked }
  const { body: view } = await operator.post(path, body)
  expect(view.introspection).toMatchObject({ clientId: 'trustwright', clientSecret: '********e-two' })
  const stored = async () => (await findAuthorizationServer(service.deps.db.read, tenantId, view.id))!
  const opened = async () =>
    service.deps.secrets.open((await stored()).sealedClientSecret, authorizationServerContext(view.id))
  expect(JSON.stringify(await stored())).not.toContain(client.clientSecret)
  const { id: _, ...sent } = view
  expect(await operator.put(`${path}/${view.id}`, { ...sent, name: 'Renamed' })).toMatchObject({ status: 200 })
  expect(await opened()).toBe(client.clientSecret)
  const moved = await operator.put(`${path}/${view.id}`, { ...sent, issuer: 'https://elsewhere.example.com' })
  expect(moved).toMatchObject({ status: 400, body: { details: [{ param: 'introspection.clientSecret' }] } })
  const signed = await operator.put(`${path}/${view.id}`, running())
  expect(signed.body).not.toHaveProperty('introspection')
  expect(await opened()).toBe('')
})

test('the test of a server says what works and what does not', async () => {
  const { operator } = await service.addTenant()
  await using tested = await startTokenServer('https://issuer.example.com')
  const { body } = await operator.post(path, { ...away, issuer: tested.issuer })
  const resultsOf = async () => {
    const { body: answer } = await operator.post(`${path}/${body.id}/test`, {})
    return [
      answer.works,
      ...answer.checks.map((each: { check: string; result: string }) => `${each.check} ${each.result}`),
    ]
  }
  expect(await resultsOf()).toEqual([true, 'discovery passed', 'keys passed'])
  tested.metadata = { jwks_uri: undefined }
  expect(await resultsOf()).toEqual([false, 'discovery failed'])
  tested.metadata = {}
  await operator.put(`${path}/${body.id}`, { ...away, issuer: tested.issuer, ...asked })
  expect(await resultsOf()).toEqual([true, 'discovery passed', 'introspection passed'])
  expect(tested.requests.at(-1)).toMatchObject({ path: '/introspect', authorization: expect.stringMatching(/^Basic /) })
  tested.isDown = true
  expect(await resultsOf()).toEqual([false, 'discovery failed'])
})
