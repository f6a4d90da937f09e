import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiResponse } from '../harness/api-client.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { type Service, startService } from '../harness/harness.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import {
  type AuthorizationWallet,
  clientId,
  newAuthorizationWallet,
  redirectUri,
} from '../wallets/authorization-wallet.ts'
import { dpopProof, newDpopKey } from '../wallets/dpop.ts'
import { type HolderKeyPair, makeProof, newHolderKey, preAuthorizedGrant, readOffer } from '../wallets/wallet.ts'

/** Every secret here is an id with its own secret, `id.secret`. The id alone gives no access. */

let service: Service
let provider: TestProvider
let configurationId: string
let key: HolderKeyPair

beforeAll(async () => {
  service = await startService()
  provider = await startProvider(service)
  configurationId = await compactConfiguration(service)
  key = await newDpopKey()
  await service.platform.put(`/v1/tenants/${service.id}`, { publicClients: true })
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

interface Bearer {
  secret: string
  /** Another one of its kind, which is as good. */
  another: string
  use(secret: string): Promise<{ status: number; body?: ApiResponse['body'] }>
  refused: { status: number; body?: { error: string } }
}

const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }
const tokenProof = () => dpopProof({ key, url: `${service.baseUrl}/v1/oauth/token` })
const post = async (form: Record<string, string>, dpop?: string) =>
  service.anonymous.post('/v1/oauth/token', new URLSearchParams(form), dpop ? { dpop } : {})

async function preAuthorizedCode(): Promise<string> {
  const { uri } = await newOffer(service, [configurationId])
  return (await readOffer(uri, service.anonymous)).grants[preAuthorizedGrant]['pre-authorized_code']
}

const byPreAuthorizedCode = (code: string) => post({ grant_type: preAuthorizedGrant, 'pre-authorized_code': code })

async function codeOf(wallet: AuthorizationWallet): Promise<string> {
  return (await wallet.authorize()).get('code') ?? ''
}

async function refreshToken(): Promise<string> {
  const wallet = newAuthorizationWallet(service, service.origin, configurationId)
  return (await wallet.redeem(await codeOf(wallet), {}, { dpop: await tokenProof() })).body.refresh_token
}

async function collect(token: string): Promise<ApiResponse> {
  const nonce = (await service.anonymous.post('/v1/openid/nonce')).body.c_nonce
  const jwt = await makeProof({ issuer: service.baseUrl, nonce, key: await newHolderKey() })
  const body = { credential_configuration_id: configurationId, proofs: { jwt: [jwt] } }
  return service.anonymous.post('/v1/openid/credential', body, { authorization: `Bearer ${token}` })
}

async function pushed(): Promise<string> {
  const url = newAuthorizationWallet(service, service.origin, configurationId).authorizeUrl()
  return (await service.anonymous.post('/v1/oauth/par', new URLSearchParams(url.search))).body.request_uri
}

async function open(requestUri: string) {
  const url = new URL('/v1/oauth/authorize', service.origin)
  url.search = String(new URLSearchParams({ client_id: clientId, request_uri: requestUri }))
  const { statusCode: status, body } = await request(url, { headers: { host: service.host } })
  await body.dump()
  return { status }
}

const kinds: Record<string, () => Promise<Bearer>> = {
  'a pre-authorized code': async () => ({
    secret: await preAuthorizedCode(),
    another: await preAuthorizedCode(),
    use: byPreAuthorizedCode,
    refused: invalidGrant,
  }),
  'a code': async () => {
    const wallet = newAuthorizationWallet(service, service.origin, configurationId)
    const other = newAuthorizationWallet(service, service.origin, configurationId)
    return {
      secret: await codeOf(wallet),
      another: await codeOf(other),
      use: (code) => wallet.redeem(code),
      refused: invalidGrant,
    }
  },
  'a refresh token': async () => ({
    secret: await refreshToken(),
    another: await refreshToken(),
    use: async (token) =>
      post({ grant_type: 'refresh_token', client_id: clientId, refresh_token: token }, await tokenProof()),
    refused: invalidGrant,
  }),
  'an access token': async () => ({
    secret: (await byPreAuthorizedCode(await preAuthorizedCode())).body.access_token,
    another: (await byPreAuthorizedCode(await preAuthorizedCode())).body.access_token,
    use: collect,
    refused: { status: 401, body: { error: 'invalid_token' } },
  }),
  'a request_uri': async () => ({
    secret: await pushed(),
    another: await pushed(),
    use: open,
    refused: { status: 400 },
  }),
}

const kindOf = (name: string) => kinds[name]?.() ?? Promise.reject(new Error(name))

describe.each(Object.keys(kinds))('%s', (name) => {
  test('cannot be opened by its id with another secret, and stays valid afterwards', async () => {
    const { secret, another, use, refused } = await kindOf(name)
    const [id = '', own = ''] = secret.split('.')
    const wrong = [`${id}.`, id, `${id}.${'A'.repeat(own.length)}`, `${id}.${another.split('.')[1]}`, `${secret}A`]
    for (const each of wrong) expect(await use(each), each).toMatchObject(refused)
    expect((await use(secret)).status).toBeLessThan(400)
  })
})

describe('a redirect URI must equal the registered one to the last character, and is not', () => {
  const registered = 'https://wallet.example/callback'
  beforeAll(async () => {
    const client = { name: 'Exact', clientId: 'exact', redirectUris: [registered, redirectUri] }
    expect(await service.operator.post('/v1/openid/clients', client)).toMatchObject({ status: 201 })
  })

  test.each([
    `${registered}/more`,
    `${registered}?a=b`,
    `${registered}x`,
    `${registered}/../callback`,
    'https://wallet.example/callbac',
    'https://wallet.example/Callback',
    'https://wallet.example.evil.example/callback',
    'https://wallet.example:443/callback',
    'https://wallet.example/',
    `${redirectUri}/more`,
    `${redirectUri}?a=b`,
  ])('%s', async (redirect_uri) => {
    const url = newAuthorizationWallet(service, service.origin, configurationId).authorizeUrl({
      client_id: 'exact',
      redirect_uri,
    })
    const { statusCode, headers, body } = await request(url, { headers: { host: service.host } })
    await body.dump()
    expect({ statusCode, location: headers.location }).toEqual({ statusCode: 400, location: undefined })
    const form = new URLSearchParams(url.search)
    expect(await service.anonymous.post('/v1/oauth/par', form)).toMatchObject({ status: 400 })
  })
})
