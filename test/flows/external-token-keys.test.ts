import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { hourMs, minuteMs } from '../../shared/clock.ts'
import { compactConfiguration } from '../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../harness/harness.ts'
import { startTokenServer, type TokenServer } from '../servers/token-server.ts'
import { addServer, requestWith } from '../wallets/external-wallet.ts'

const client = { clientId: 'trustwright', clientSecret: 'a-secret-between-the-two' }
const claimMappings = { given_name: { mapFrom: 'claims.given_name' } }

let service: Service
let tenant: TestTenant
let server: TokenServer
let configurationId: string
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())
beforeEach(async () => {
  tenant = await service.addTenant()
  server = await startTokenServer(tenant.baseUrl, () => service.clock.now())
  configurationId = await compactConfiguration(tenant, { scope: 'student_card', claimMappings })
  return () => server[Symbol.asyncDispose]()
})

const token = (claims: Record<string, unknown> = {}) => server.token({ scope: 'student_card', ...claims })
/** The status of a notification for an unknown credential: 400 if the token is accepted. */
async function statusOf(accessToken: string): Promise<number> {
  const body = { notification_id: 'none', event: 'credential_accepted' }
  const headers = { authorization: `Bearer ${accessToken}` }
  return (await tenant.anonymous.post('/v1/openid/notification', body, headers)).status
}
const readsOf = (path: string) => server.requests.filter((request) => request.path === path).length

test('keys that are replaced under load are read again, once for all requests', async () => {
  await addServer(tenant, server)
  expect(await statusOf(await token())).toBe(400)
  await server.rotate()
  service.clock.advance(minuteMs)
  const before = readsOf('/jwks')
  const tokens = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => token()))
  expect(await Promise.all(tokens.map(statusOf))).toEqual(tokens.map(() => 400))
  expect(readsOf('/jwks') - before).toBe(1)
})

test('tokens with unknown keys do not read the keys again within ten seconds', async () => {
  await addServer(tenant, server)
  expect(await statusOf(await token())).toBe(400)
  const before = readsOf('/jwks')
  for (const kid of ['a', 'b', 'c']) expect(await statusOf(await server.token({}, { kid }))).toBe(401)
  expect(readsOf('/jwks')).toBe(before)
  service.clock.advance(minuteMs)
  for (const kid of ['a', 'b', 'c']) expect(await statusOf(await server.token({}, { kid }))).toBe(401)
  expect(readsOf('/jwks') - before).toBe(1)
})

test('a server that was never reached refuses its tokens until later, not for ever', async () => {
  server.isDown = true
  await addServer(tenant, server)
  expect(await statusOf(await token())).toBe(503)
  server.isDown = false
  service.clock.advance(minuteMs)
  expect(await statusOf(await token())).toBe(400)
})

test('an opaque token is accepted as the server says, and asked about once in five seconds', async () => {
  await addServer(tenant, server, { introspection: client, claimsToPersist: ['given_name'] })
  const claims = { active: true, aud: tenant.baseUrl, sub: 'ada', client_id: 'wallet', given_name: 'Ada' }
  server.introspection = { ...claims, scope: 'student_card' }
  const answers = await Promise.all([1, 2, 3].map(() => requestWith(tenant, 'an-opaque-token', configurationId)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(readsOf('/introspect')).toBe(1)
  const [asked] = server.requests.filter(({ path }) => path === '/introspect')
  expect(asked).toMatchObject({ authorization: expect.stringMatching(/^Basic /) })
  expect(new URLSearchParams(asked?.body).get('token')).toBe('an-opaque-token')
  expect((await tenant.operator.get('/v1/users')).body.data).toMatchObject([{ claims: { given_name: 'Ada' } }])
})

test.each([
  ['is not active', { active: false }],
  ['is for another audience', { aud: 'https://other.example' }],
  ['has no audience', { aud: undefined }],
  ['is of another issuer', { iss: 'https://other.example' }],
  ['has expired', { exp: 1 }],
  ['has no subject', { sub: undefined }],
  ['is bound to a key', { cnf: { jkt: 'a' } }],
])('an opaque token that %s is refused', async (_, changes) => {
  await addServer(tenant, server, { introspection: client })
  const claims = { active: true, aud: tenant.baseUrl, sub: 'ada', client_id: 'wallet', scope: 'student_card' }
  server.introspection = { ...claims, ...changes }
  expect(await statusOf('an-opaque-token')).toBe(401)
})

test('a signed token is introspected too, and a token of the form of this service is sent to no server', async () => {
  await addServer(tenant, server, { introspection: client })
  expect(await statusOf(await token())).toBe(401)
  expect(readsOf('/introspect')).toBe(1)
  expect(await statusOf('0198a0a0-0000-7000-8000-000000000001.secret')).toBe(401)
  expect(readsOf('/introspect')).toBe(1)
  server.isDown = true
  expect(await statusOf('another-token')).toBe(503)
})

test('claims that the token does not have are read from UserInfo, which must have the same sub', async () => {
  await addServer(tenant, server, { userInfo: true, claimsToPersist: ['given_name'] })
  server.userInfo = { sub: 'grace', given_name: 'Grace' }
  expect(await statusOf(await token())).toBe(503)
  expect((await tenant.operator.get('/v1/users')).body.data).toEqual([])
  server.userInfo = { sub: 'ada', given_name: 'Ada' }
  expect(await statusOf(await token())).toBe(400)
  expect((await tenant.operator.get('/v1/users')).body.data).toMatchObject([{ claims: { given_name: 'Ada' } }])
  const before = readsOf('/userinfo')
  expect(await statusOf(await token({ given_name: 'Ada' }))).toBe(400)
  expect(readsOf('/userinfo')).toBe(before)
})

// The last one, because the tokens of operators expire meanwhile.
test('while the server is away, its keys are used for a day, and then no token is accepted', async () => {
  await addServer(tenant, server)
  expect(await statusOf(await token())).toBe(400)
  server.isDown = true
  const failures = []
  for (const passedMs of [minuteMs, minuteMs, hourMs, 20 * hourMs]) {
    service.clock.advance(passedMs)
    if ((await statusOf(await token())) !== 400) failures.push(passedMs)
  }
  expect(failures).toEqual([])
  service.clock.advance(4 * hourMs)
  expect(await statusOf(await token())).toBe(503)
  server.isDown = false
  service.clock.advance(minuteMs)
  expect(await statusOf(await token())).toBe(400)
})
