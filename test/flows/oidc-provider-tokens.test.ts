import { createHash, randomBytes } from 'node:crypto'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compactConfiguration } from '../harness/factories.ts'
import { type Service, startService, type TestTenant } from '../harness/harness.ts'
import { type OidcTokenServer, startOidcTokenServer } from '../servers/oidc-token-server.ts'
import { newBrowser } from '../servers/provider.ts'
import { dpopProof, jktOf, newDpopKey } from '../wallets/dpop.ts'
import { addServer, requestWith } from '../wallets/external-wallet.ts'
import { type HolderKeyPair, readOffer } from '../wallets/wallet.ts'

// The authorization server is oidc-provider, which shares no code with this service.

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service[Symbol.asyncDispose]())

/** Signs in as `user` at the server, and exchanges the code as a wallet does, with DPoP if there is a key. */
async function tokenOf(server: OidcTokenServer, tenant: TestTenant, user: string, key?: HolderKeyPair) {
  const verifier = randomBytes(32).toString('base64url')
  const authorize = new URL(`${server.issuer}/auth`)
  const parameters = {
    ...{ client_id: server.clientId, redirect_uri: server.redirectUri, response_type: 'code' },
    ...{ scope: 'openid student_card', resource: tenant.baseUrl, code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  }
  authorize.search = new URLSearchParams(parameters).toString()
  const { url } = await newBrowser(({ port }) => port === '4711').signIn(authorize, user)
  const response = await fetch(`${server.issuer}/token`, {
    method: 'POST',
    headers: key ? { dpop: await dpopProof({ key, url: `${server.issuer}/token` }) } : {},
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', code: url.searchParams.get('code') ?? '', code_verifier: verifier },
      ...{ client_id: server.clientId, redirect_uri: server.redirectUri, resource: tenant.baseUrl },
    }),
  })
  const { access_token: token } = (await response.json()) as { access_token: string }
  return token
}

test('two servers and this service issue to their own people, with and without DPoP', async () => {
  const tenant = await service.addTenant()
  const claimMappings = { level: { defaultValue: 'B1' } }
  const configurationId = await compactConfiguration(tenant, { scope: 'student_card', claimMappings })
  await using city = await startOidcTokenServer(tenant.baseUrl, 'student_card')
  await using land = await startOidcTokenServer(tenant.baseUrl, 'student_card')
  await addServer(tenant, city)
  await addServer(tenant, land, { name: 'Land' })
  const body = { credentials: [configurationId], authorizationServer: land.issuer }
  const { uri } = (await tenant.operator.post('/v1/openid/offers', body)).body
  const { grants } = await readOffer(uri, tenant.anonymous)
  expect(grants.authorization_code.authorization_server).toBe(land.issuer)

  for (const server of [city, land]) {
    const token = await tokenOf(server, tenant, 'ada')
    expect(decodeProtectedHeader(token).typ).toBe('at+jwt')
    expect(await requestWith(tenant, token, configurationId)).toMatchObject({ status: 200 })
  }
  const key = await newDpopKey()
  const token = await tokenOf(land, tenant, 'grace', key)
  expect(decodeJwt(token).cnf).toEqual({ jkt: await jktOf(key) })
  const dpop = await dpopProof({ key, url: `${tenant.baseUrl}/v1/openid/credential`, accessToken: token })
  const headers = { authorization: `DPoP ${token}`, dpop }
  expect(await requestWith(tenant, token, configurationId)).toMatchObject({ status: 401 })
  expect(await requestWith(tenant, token, configurationId, { headers })).toMatchObject({ status: 200 })

  const users = (await tenant.operator.get('/v1/users')).body.data
  const subjects = users.map(({ authenticationProvider: of }: never) => Object(of))
  expect(subjects.map(({ subjectId }: { subjectId: string }) => subjectId).toSorted()).toEqual(['ada', 'ada', 'grace'])
  expect(new Set(subjects.map((of: { providerId: string; subjectId: string }) => Object.values(of).join())).size).toBe(
    3,
  )
})
