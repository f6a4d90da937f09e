import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ApiResponse } from '../harness/api-client.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { eventually, joinService, type SharedService, type TestTenant } from '../harness/harness.ts'
import { expectOauthError } from '../harness/oauth-error.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import { attestClient, newAttester, possessionOf } from '../wallets/attestation.ts'
import { clientId, newAuthorizationWallet, redirectUri, registerWallet } from '../wallets/authorization-wallet.ts'
import { dpopProof, newDpopKey } from '../wallets/dpop.ts'
import { resolveEverythingHere } from '../wallets/library-wallet.ts'
import { makeProof, newHolderKey, preAuthorizedGrant, readOffer } from '../wallets/wallet.ts'

let service: SharedService
let provider: TestProvider
let other: TestTenant
let configurationId: string
beforeAll(async () => {
  resolveEverythingHere()
  service = await joinService()
  provider = await startProvider(service)
  other = await service.addTenant()
  configurationId = await compactConfiguration(service)
  await registerWallet(service)
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const revokePath = '/v1/oauth/revoke'
const tokenPath = '/v1/oauth/token'
const insecure = { [oauth.allowInsecureRequests]: true }
const key = await newDpopKey()

const proofFor = (path: string, by = key, accessToken?: string) =>
  dpopProof({ key: by, url: service.baseUrl + path, ...(accessToken !== undefined && { accessToken }) })

/** Sends a revocation with a DPoP proof. `changes` with undefined remove a parameter. */
async function revoke(token: string, changes: Record<string, string | undefined> = {}, by = key) {
  const parameters = Object.entries({ token, client_id: clientId, ...changes })
  const form = new URLSearchParams(parameters.filter((each): each is [string, string] => each[1] !== undefined))
  return service.anonymous.post(revokePath, form, { dpop: await proofFor(revokePath, by) })
}

interface Tokens {
  access_token: string
  refresh_token: string
}

/** Tokens of the authorization code flow, which are bound to the key. */
async function bound(): Promise<Tokens> {
  const wallet = newAuthorizationWallet(service, service.origin, configurationId)
  const code = (await wallet.authorize()).get('code') ?? ''
  const { status, body } = await wallet.redeem(code, {}, { dpop: await proofFor(tokenPath) })
  expect(status).toBe(200)
  return body
}

async function refresh(refreshToken: string): Promise<ApiResponse> {
  const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken }
  return service.anonymous.post(tokenPath, new URLSearchParams(form), { dpop: await proofFor(tokenPath) })
}

/** A token for a pre-authorized offer, which is bound to nothing. */
async function unbound(tenant: TestTenant = service, id = configurationId) {
  const offer = await newOffer(tenant, [id])
  const code = (await readOffer(offer.uri, tenant.anonymous)).grants[preAuthorizedGrant]['pre-authorized_code']
  const form = new URLSearchParams({ grant_type: preAuthorizedGrant, 'pre-authorized_code': code })
  return { offer, token: (await tenant.anonymous.post(tokenPath, form)).body.access_token as string }
}

async function collect(
  accessToken: string,
  { isBound = true, tenant = service as TestTenant, id = configurationId } = {},
) {
  const nonce = (await tenant.anonymous.post('/v1/openid/nonce')).body.c_nonce
  const proof = await makeProof({ issuer: tenant.baseUrl, nonce, key: await newHolderKey() })
  const path = '/v1/openid/credential'
  const headers = isBound
    ? { authorization: `DPoP ${accessToken}`, dpop: await proofFor(path, key, accessToken) }
    : { authorization: `Bearer ${accessToken}` }
  return tenant.anonymous.post(path, { credential_configuration_id: id, proofs: { jwt: [proof] } }, headers)
}

const works = { status: 200 }
const isRevoked = { status: 401, body: { error: 'invalid_token' } }
const grantEnded = { status: 400, body: { error: 'invalid_grant' } }

describe('a revoked token (RFC 7009)', () => {
  test('of a pre-authorized offer ends, together with its offer, at the endpoint of the metadata', async () => {
    const issuer = new URL(service.baseUrl)
    const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
    const server = await oauth.processDiscoveryResponse(issuer, discovered)
    expect(server.revocation_endpoint_auth_methods_supported).toEqual(server.token_endpoint_auth_methods_supported)
    const [revoked, kept] = [await unbound(), await unbound()]
    for (const _time of ['first', 'again']) {
      const response = await oauth.revocationRequest(
        server,
        { client_id: 'any' },
        oauth.None(),
        revoked.token,
        insecure,
      )
      await oauth.processRevocationResponse(response.clone())
      expect({ body: await response.text(), caching: response.headers.get('cache-control') }).toEqual({
        body: '',
        caching: 'no-store',
      })
    }
    expect(await collect(revoked.token, { isBound: false })).toMatchObject(isRevoked)
    expect(await collect(kept.token, { isBound: false })).toMatchObject(works)
    const timeline = `/v1/openid/offers/${revoked.offer.id}/timeline`
    await eventually(async () => {
      const { body } = await service.operator.get(timeline)
      const steps = body.data.map(({ step, outcome }: { step: string; outcome: string }) => `${step}: ${outcome}`)
      return steps.includes('token revoked: success')
    })
  })

  test('for access ends alone, and the refresh token stays', async () => {
    const { access_token, refresh_token } = await bound()
    expect(await revoke(access_token)).toMatchObject(works)
    expect(await collect(access_token)).toMatchObject(isRevoked)
    const renewed = await refresh(refresh_token)
    expect(await collect(renewed.body.access_token)).toMatchObject(works)
  })

  test('for refreshing ends with all access tokens of its authorization, and with no others', async () => {
    const [tokens, others] = [await bound(), await bound()]
    const renewed = await refresh(tokens.refresh_token)
    expect(await revoke(tokens.refresh_token)).toMatchObject(works)
    expect(await refresh(tokens.refresh_token)).toMatchObject(grantEnded)
    for (const token of [tokens.access_token, renewed.body.access_token])
      expect(await collect(token)).toMatchObject(isRevoked)
    expect(await collect(others.access_token)).toMatchObject(works)
    expect(await refresh(others.refresh_token)).toMatchObject(works)
  })

  test.each(['access_token', 'refresh_token', 'unknown', ''])('is found with the hint "%s"', async (hint) => {
    const [tokens, others] = [await bound(), await bound()]
    expect(await revoke(tokens.access_token, { token_type_hint: hint })).toMatchObject(works)
    expect(await collect(tokens.access_token)).toMatchObject(isRevoked)
    expect(await revoke(others.refresh_token, { token_type_hint: hint })).toMatchObject(works)
    expect(await refresh(others.refresh_token)).toMatchObject(grantEnded)
  })

  test('does not work again if refreshes run at the same time', async () => {
    const { access_token, refresh_token } = await bound()
    const refreshes = Array.from({ length: 20 }, () => refresh(refresh_token))
    const [revoked, ...renewed] = await Promise.all([revoke(refresh_token), ...refreshes])
    expect(revoked).toMatchObject(works)
    for (const { status } of renewed) expect([200, 400]).toContain(status)
    const issued = renewed.flatMap(({ status, body }) => (status === 200 ? [body.access_token] : []))
    for (const token of [access_token, ...issued]) expect(await collect(token)).toMatchObject(isRevoked)
    expect(await refresh(refresh_token)).toMatchObject(grantEnded)
  })
})

describe('a token stays', () => {
  test('if another token, or that of another tenant, is revoked', async () => {
    const tokens = await bound()
    const [id] = tokens.access_token.split('.')
    const foreignId = await compactConfiguration(other)
    const foreign = await unbound(other, foreignId)
    for (const token of [`${id}.x`, `${tokens.refresh_token}x`, 'unknown', foreign.token])
      expect(await revoke(token)).toMatchObject(works)
    expect(await collect(tokens.access_token)).toMatchObject(works)
    expect(await refresh(tokens.refresh_token)).toMatchObject(works)
    expect(await collect(foreign.token, { isBound: false, tenant: other, id: foreignId })).toMatchObject(works)
  })

  test('if another client or another key asks', async () => {
    const tokens = await bound()
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      for (const client of ['another', undefined])
        expectOauthError(await revoke(token, { client_id: client }), 'invalid_grant')
      expectOauthError(await revoke(token, {}, await newDpopKey()), 'invalid_grant')
      const form = new URLSearchParams({ token, client_id: clientId })
      expectOauthError(await service.anonymous.post(revokePath, form), 'invalid_dpop_proof')
      const dpop = await proofFor(tokenPath)
      expectOauthError(await service.anonymous.post(revokePath, form, { dpop }), 'invalid_dpop_proof')
    }
    expect(await collect(tokens.access_token)).toMatchObject(works)
    expect(await refresh(tokens.refresh_token)).toMatchObject(works)
  })

  test('if the request is malformed', async () => {
    const { token } = await unbound()
    expectOauthError(await revoke('', { token: undefined }), 'invalid_request')
    expectOauthError(await service.anonymous.post(revokePath, { token }), 'invalid_request')
    expectOauthError(await service.anonymous.get(revokePath), 'invalid_request', 405)
    expect(await collect(token, { isBound: false })).toMatchObject(works)
  })
})

test('a wallet of a HAIP tenant revokes with its attestation, which no other wallet has', async () => {
  const tenant = await service.addTenant({ profile: 'haip' })
  const attester = await newAttester()
  const attestation = { required: true, rootCertificates: [attester.rootPem] }
  const client = { name: 'Attested', clientId, redirectUris: [redirectUri], attestation }
  expect(await tenant.operator.post('/v1/openid/clients', client)).toMatchObject({ status: 201 })
  const attested = async (by = key) => ({
    'oauth-client-attestation': await attestClient(attester, { clientId, publicJwk: by.publicJwk }),
    'oauth-client-attestation-pop': await possessionOf(by, tenant.baseUrl),
  })
  let nonce = ''
  /** Sends the request again with the nonce that the first answer has. */
  async function send(path: string, form: Record<string, string>, headers: () => Promise<Record<string, string>>) {
    const body = new URLSearchParams({ client_id: clientId, ...form })
    for (const _time of ['without the nonce', 'with it']) {
      const dpop = await dpopProof({ key, url: tenant.baseUrl + path, nonce })
      const response = await tenant.anonymous.post(path, body, { dpop, ...(await headers()) })
      nonce = String(response.headers['dpop-nonce'] ?? nonce)
      if (response.body?.error !== 'use_dpop_nonce') return response
    }
    throw new Error('the nonce is refused')
  }
  const id = await compactConfiguration(tenant)
  const offer = await newOffer(tenant, [id])
  const code = (await readOffer(offer.uri, tenant.anonymous)).grants[preAuthorizedGrant]['pre-authorized_code']
  const exchange = { grant_type: preAuthorizedGrant, 'pre-authorized_code': code }
  const { body } = await send(tokenPath, exchange, attested)
  const token = { token: body.access_token }
  expectOauthError(await send(revokePath, token, async () => ({})), 'invalid_client', 401)
  expectOauthError(await send(revokePath, token, async () => attested(await newDpopKey())), 'invalid_grant')
  expect(await send(revokePath, token, attested)).toMatchObject({ status: 200, headers: { 'dpop-nonce': nonce } })
})

test('pages of other origins can call the endpoint, and its limit is that of anonymous requests', async () => {
  const tenant = await service.addTenant({ limits: { anonymousPerMinute: 5 } })
  const origin = 'https://wallet.example'
  const asked = { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'dpop' }
  const preflight = await tenant.anonymous.send('OPTIONS', revokePath, undefined, asked)
  expect(preflight).toMatchObject({ status: 204, headers: { 'access-control-allow-origin': '*' } })
  const form = new URLSearchParams({ token: 'unknown' })
  const send = () => tenant.anonymous.post(revokePath, form, { origin })
  expect(await send()).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': '*' } })
  const answers = await Promise.all(Array.from({ length: 10 }, send))
  expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(5)
})
