import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration } from '../harness/factories.ts'
import { joinService, type SharedService } from '../harness/harness.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import { clientId, newAuthorizationWallet, registerWallet } from '../wallets/authorization-wallet.ts'

let service: SharedService
let provider: TestProvider
let configurationId: string

beforeAll(async () => {
  service = await joinService()
  provider = await startProvider(service)
  configurationId = await compactConfiguration(service)
  await registerWallet(service)
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

/** Returns the responses to the same request at the authorization endpoint and at the PAR endpoint. */
async function sendBoth(changes: Record<string, string | undefined>) {
  const { pathname, search } = newAuthorizationWallet(service, service.origin, configurationId).authorizeUrl(changes)
  return {
    authorized: await service.anonymous.get(pathname + search, { accept: 'application/json' }),
    pushed: await service.anonymous.post('/v1/oauth/par', new URLSearchParams(search)),
  }
}

describe('a redirect URI on loopback that differs in more than its port is refused without a redirect', () => {
  test.each([
    ['a line feed', 'http://127.0.0.1:9/call\nback'],
    ['a space before it', ' http://127.0.0.1:9/callback'],
    ['another form of the digits', 'http://１27.0.0.1:9/callback'],
    ['another form of the address', 'http://127.1:9/callback'],
    ['another form of the path', 'http://127.0.0.1:9/x/../callback'],
    ['upper case', 'HTTP://127.0.0.1:9/callback'],
    ['an empty query', 'http://127.0.0.1:9/callback?'],
    ['an empty fragment', 'http://127.0.0.1:9/callback#'],
    ['an empty user', 'http://@127.0.0.1:9/callback'],
    ['a port out of range', 'http://127.0.0.1:99999/callback'],
  ])('%s', async (_name, redirect_uri) => {
    const refused = { status: 400, body: { error: 'invalid_request' } }
    expect(await sendBoth({ redirect_uri })).toMatchObject({ authorized: refused, pushed: refused })
  })
})

test.each([
  ['127.0.0.1', 'http://127.0.0.1/callback?a=1', 'http://127.0.0.1:4711/callback?a=1'],
  ['::1', 'http://[::1]:1/callback', 'http://[::1]:4711/callback'],
  ['localhost', 'http://localhost:1/callback', 'http://localhost/callback'],
])('a wallet on loopback can choose its port at %s', async (name, registered, redirect_uri) => {
  const client = { name, clientId: `wallet at ${name}`.replaceAll(' ', '-'), redirectUris: [registered] }
  expect(await service.operator.post('/v1/openid/clients', client)).toMatchObject({ status: 201 })
  const { authorized, pushed } = await sendBoth({ client_id: client.clientId, redirect_uri })
  expect(authorized).toMatchObject({ status: 302, headers: { location: expect.stringContaining(provider.url) } })
  expect(pushed).toMatchObject({ status: 201 })
})

test.each([
  ['U+0000', 'cwt:Type%00'],
  ['an incomplete character', 'cwt:Type%ED%A0%80'],
  ['a percent sign alone', 'cwt:Type%'],
])('a scope that encodes %s is unknown', async (_name, scope) => {
  const { authorized, pushed } = await sendBoth({ client_id: clientId, authorization_details: undefined, scope })
  expect(authorized).toMatchObject({
    status: 302,
    headers: { location: expect.stringContaining('error=invalid_scope') },
  })
  expect(pushed).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
})
