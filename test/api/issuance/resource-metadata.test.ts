import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration } from '../../harness/factories.ts'
import { joinService, type SharedService, type TestTenant } from '../../harness/harness.ts'
import { resolveEverythingHere } from '../../wallets/library-wallet.ts'

let service: SharedService
let haip: TestTenant
beforeAll(async () => {
  resolveEverythingHere()
  service = await joinService()
  haip = await service.addTenant({ profile: 'haip' })
})
afterAll(() => service?.[Symbol.asyncDispose]())

const path = '/.well-known/oauth-protected-resource'
const endpoints = ['credential', 'deferred-credential', 'notification'].map((name) => `/v1/openid/${name}`)
const insecure = { [oauth.allowInsecureRequests]: true }

async function challengesOf(tenant: TestTenant, endpoint: string): Promise<oauth.WWWAuthenticateChallenge[]> {
  const url = new URL(tenant.baseUrl + endpoint)
  const headers = new Headers({ 'content-type': 'application/json' })
  const refused = oauth.protectedResourceRequest('unknown', 'POST', url, headers, '{}', insecure)
  const error: unknown = await refused.catch((problem: unknown) => problem)
  if (error instanceof oauth.WWWAuthenticateChallengeError) return error.cause
  throw error
}

describe('the metadata of the protected resource (RFC 9728)', () => {
  test('are those of the issuer, with its authorization server, scopes and rules for tokens', async () => {
    await compactConfiguration(service)
    const { body: server } = await service.anonymous.get('/.well-known/oauth-authorization-server')
    const { status, body, headers } = await service.anonymous.get(path, { origin: 'https://wallet.example' })
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'content-type': expect.stringContaining('application/json'),
      'cache-control': 'public, max-age=60',
      'access-control-allow-origin': '*',
    })
    expect(body).toEqual({
      resource: service.baseUrl,
      authorization_servers: [service.baseUrl],
      scopes_supported: server.scopes_supported,
      bearer_methods_supported: ['header'],
      resource_name: expect.any(String),
      dpop_signing_alg_values_supported: ['ES256'],
      dpop_bound_access_tokens_required: false,
    })
    expect(server.scopes_supported).toHaveLength(1)
    expect(server.protected_resources).toEqual(['', ...endpoints].map((each) => service.baseUrl + each))
  })

  test('of a HAIP tenant require DPoP, and have no empty members', async () => {
    const { body } = await haip.anonymous.get(path)
    expect(body).toMatchObject({ resource: haip.baseUrl, dpop_bound_access_tokens_required: true })
    expect(body).not.toHaveProperty('bearer_methods_supported')
    expect(body).not.toHaveProperty('scopes_supported')
  })

  test('exist for each endpoint that takes access tokens, and for no other', async () => {
    for (const resource of ['', ...endpoints].map((each) => new URL(service.baseUrl + each))) {
      const discovered = await oauth.resourceDiscoveryRequest(resource, insecure)
      const metadata = await oauth.processResourceDiscoveryResponse(resource, discovered)
      expect(metadata.authorization_servers).toEqual([service.baseUrl])
    }
    expect(await service.anonymous.get(`${path}/v1/openid/nonce`)).toMatchObject({ status: 404 })
  })
})

describe('a refused access token', () => {
  test.each(endpoints)('at %s gets a challenge that leads to the metadata of this endpoint', async (endpoint) => {
    for (const tenant of [service, haip]) {
      for (const { parameters } of await challengesOf(tenant, endpoint)) {
        const address = new URL(parameters.resource_metadata ?? '')
        expect(address.origin).toBe(tenant.baseUrl)
        const { body } = await tenant.anonymous.get(address.pathname)
        expect(body.resource).toBe(tenant.baseUrl + endpoint)
      }
    }
  })

  test('gets a challenge of each scheme that the tenant accepts (RFC 9449, section 7.1)', async () => {
    const resource_metadata = `${service.baseUrl}${path}/v1/openid/credential`
    expect(await challengesOf(service, '/v1/openid/credential')).toEqual([
      {
        scheme: 'bearer',
        parameters: {
          error: 'invalid_token',
          error_description: 'The access token is wrong or expired',
          resource_metadata,
        },
      },
      { scheme: 'dpop', parameters: { algs: 'ES256', resource_metadata } },
    ])
    const ofHaip = { resource_metadata: `${haip.baseUrl}${path}/v1/openid/credential` }
    expect(await challengesOf(haip, '/v1/openid/credential')).toEqual([
      { scheme: 'dpop', parameters: { error: 'invalid_token', algs: 'ES256', ...ofHaip } },
    ])
  })
})
