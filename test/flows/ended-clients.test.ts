import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { issuances } from '../../db/tables/issuance/issuances.ts'
import type { ApiResponse } from '../harness/api-client.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import { type Attester, attestClient, newAttester, possessionOf } from '../wallets/attestation.ts'
import { newAuthorizationWallet, redirectUri } from '../wallets/authorization-wallet.ts'
import { dpopProof, newDpopKey } from '../wallets/dpop.ts'
import { type HolderKeyPair, makeProof, newHolderKey, preAuthorizedGrant, readOffer } from '../wallets/wallet.ts'

let service: Service
let provider: TestProvider
let configurationId: string
let attester: Attester
let key: HolderKeyPair

beforeAll(async () => {
  service = await startService()
  provider = await startProvider(service)
  configurationId = await compactConfiguration(service)
  attester = await newAttester()
  key = await newDpopKey()
})
beforeEach(() => setTenant({ publicClients: false, deferredIssuance: 'never' }))
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

/** Seen at once by this process, which is where the change is made. */
async function setTenant(settings: Record<string, unknown>): Promise<void> {
  expect(await service.platform.put(`/v1/tenants/${service.id}`, settings)).toMatchObject({ status: 200 })
}

let count = 0

async function register(extra: Record<string, unknown> = {}) {
  const clientId = `wallet-${++count}`
  const client = { name: 'Wallet', clientId, redirectUris: [redirectUri], ...extra }
  const create = () => service.operator.post('/v1/openid/clients', client)
  const { status, body } = await create()
  expect(status).toBe(201)
  const remove = async () =>
    expect(await service.operator.delete(`/v1/openid/clients/${body.id}`)).toMatchObject({ status: 204 })
  return { clientId, create, remove }
}

const proof = (by = key) => dpopProof({ key: by, url: `${service.baseUrl}/v1/oauth/token` })

function walletOf(clientId: string) {
  const wallet = newAuthorizationWallet(service, service.origin, configurationId)
  const authorize = async () => (await wallet.authorize({ client_id: clientId })).get('code') ?? ''
  const redeem = async (code: string, headers: Record<string, string> = {}) =>
    wallet.redeem(code, { client_id: clientId }, { dpop: await proof(), ...headers })
  const refresh = async (token: string, headers: Record<string, string> = {}) => {
    const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: token }
    return service.anonymous.post('/v1/oauth/token', new URLSearchParams(form), { dpop: await proof(), ...headers })
  }
  return { ...wallet, authorize, redeem, refresh }
}

/** Any request to the wallet's endpoints, with its token and key. */
async function ask(path: string, body: object, token: ApiResponse['body']): Promise<ApiResponse> {
  const accessToken = token.access_token
  const headers = {
    authorization: `${token.token_type} ${accessToken}`,
    ...(token.token_type === 'DPoP' && { dpop: await dpopProof({ key, url: service.baseUrl + path, accessToken }) }),
  }
  return service.anonymous.post(path, body, headers)
}

async function collect(token: ApiResponse['body']): Promise<ApiResponse> {
  const nonce = (await service.anonymous.post('/v1/openid/nonce')).body.c_nonce
  const jwt = await makeProof({ issuer: service.baseUrl, nonce, key: await newHolderKey() })
  const body = { credential_configuration_id: configurationId, proofs: { jwt: [jwt] } }
  return ask('/v1/openid/credential', body, token)
}

const invalidToken = { status: 401, body: { error: 'invalid_token' } }
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } }

describe('the deletion of a registered wallet ends at once', () => {
  test('its access tokens, at each endpoint that takes one, and its refresh tokens', async () => {
    const { clientId, remove, create } = await register()
    const wallet = walletOf(clientId)
    const [token, used] = [await wallet.redeem(await wallet.authorize()), await wallet.redeem(await wallet.authorize())]
    const credential = await collect(used.body)
    expect(credential).toMatchObject({ status: 200 })
    const { notification_id } = credential.body
    const notify = () => ask('/v1/openid/notification', { notification_id, event: 'credential_accepted' }, used.body)
    expect(await notify()).toMatchObject({ status: 204 })
    await remove()

    for (const again of [false, true]) {
      // Nor does it come back with another registration of the same name.
      if (again) await create()
      expect(await collect(token.body)).toMatchObject(invalidToken)
      expect(await notify()).toMatchObject(invalidToken)
      expect(await wallet.refresh(token.body.refresh_token)).toMatchObject(invalidGrant)
    }
  })

  test('a request that waits for its signature, which does not count as refused', async () => {
    const { clientId, remove } = await register()
    const wallet = walletOf(clientId)
    const token = await wallet.redeem(await wallet.authorize())
    await service.workers.stop()
    const collecting = collect(token.body)
    await eventually(async () => ((await service.deps.bus.depths()).signing.waiting ?? 0) > 0)
    await remove()
    await service.workers.start()
    expect(await collecting).toMatchObject(invalidToken)
    const ofSession = eq(issuances.sessionId, token.body.access_token.split('.')[0])
    expect(await service.deps.db.read.$count(issuances, ofSession)).toBe(0)
    expect(await collect(token.body)).toMatchObject(invalidToken)
  })

  test('its deferred credentials', async () => {
    await setTenant({ deferredIssuance: 'whenSlow' })
    const { clientId, remove } = await register()
    const wallet = walletOf(clientId)
    const token = await wallet.redeem(await wallet.authorize())
    await service.workers.stop()
    const { status, body } = await service.withSigningWait(100, () => collect(token.body))
    expect(status).toBe(202)
    const later = () => ask('/v1/openid/deferred-credential', { transaction_id: body.transaction_id }, token.body)
    expect(await later()).toMatchObject({ status: 202 })
    await remove()
    expect(await later()).toMatchObject(invalidToken)
    await service.workers.start()
    const rows = () =>
      service.deps.db.read
        .select()
        .from(issuances)
        .where(eq(issuances.sessionId, token.body.access_token.split('.')[0]))
    await eventually(async () => (await rows())[0]?.state === 'refused')
    expect(await rows()).toMatchObject([{ claims: null, credentials: null }])
  })

  test('its codes, pushed requests and running sign-ins', async () => {
    const { clientId, remove, create } = await register()
    const wallet = walletOf(clientId)
    const code = await wallet.authorize()
    const url = wallet.authorizeUrl({ client_id: clientId })
    const { body: pushed } = await service.anonymous.post('/v1/oauth/par', new URLSearchParams(url.search))
    const { location } = await wallet.browser.open(url)
    await remove()
    await create()
    expect(await wallet.redeem(code)).toMatchObject(invalidGrant)
    const opened = new URLSearchParams({ client_id: clientId, request_uri: pushed.request_uri })
    expect(await service.anonymous.get(`/v1/oauth/authorize?${opened}`)).toMatchObject({ status: 400 })
    expect(await wallet.browser.signIn(location ?? '')).toMatchObject({ status: 400 })
  })

  test('its token for a pre-authorized code, and that of no other wallet', async () => {
    const { clientId, remove } = await register()
    const own = await preAuthorized(clientId)
    const others = [await preAuthorized(), await preAuthorized('someone-else')]
    await remove()
    expect(await collect(own)).toMatchObject(invalidToken)
    for (const other of others) expect(await collect(other)).toMatchObject({ status: 200 })
  })
})

async function preAuthorized(clientId?: string): Promise<ApiResponse['body']> {
  const { uri } = await newOffer(service, [configurationId])
  const code = (await readOffer(uri, service.anonymous)).grants[preAuthorizedGrant]['pre-authorized_code']
  const form = { grant_type: preAuthorizedGrant, 'pre-authorized_code': code, ...(clientId && { client_id: clientId }) }
  const { status, body } = await service.anonymous.post('/v1/oauth/token', new URLSearchParams(form))
  expect(status).toBe(200)
  return body
}

test('unregistered wallets continue when another is deleted, and end when the tenant no longer allows them', async () => {
  await setTenant({ publicClients: true })
  const { remove } = await register()
  const wallet = walletOf('unregistered')
  const first = await wallet.redeem(await wallet.authorize())
  const code = await wallet.authorize()
  await remove()
  expect(await collect(first.body)).toMatchObject({ status: 200 })
  const second = await wallet.refresh(first.body.refresh_token)
  expect(second).toMatchObject({ status: 200 })
  await setTenant({ publicClients: false })
  expect(await wallet.redeem(code)).toMatchObject(invalidGrant)
  expect(await wallet.refresh(second.body.refresh_token)).toMatchObject(invalidGrant)
})

describe('another attested instance of a wallet cannot use', () => {
  const attestation = () => ({ required: true, dpopRequired: false, rootCertificates: [attester.rootPem] })

  /** The same client, the same DPoP key: only the instance is another. */
  async function attested(clientId: string, instance: HolderKeyPair): Promise<Record<string, string>> {
    return {
      'oauth-client-attestation': await attestClient(attester, { clientId, publicJwk: instance.publicJwk }),
      'oauth-client-attestation-pop': await possessionOf(instance, service.baseUrl),
    }
  }

  async function granted() {
    const { clientId } = await register({ attestation: attestation() })
    const wallet = walletOf(clientId)
    const [own, other] = [await newHolderKey(), await newHolderKey()]
    const url = wallet.authorizeUrl({ client_id: clientId })
    const { body: pushed } = await service.anonymous.post(
      '/v1/oauth/par',
      new URLSearchParams(url.search),
      await attested(clientId, own),
    )
    const opened = new URL('/v1/oauth/authorize', service.origin)
    opened.search = String(new URLSearchParams({ client_id: clientId, request_uri: pushed.request_uri }))
    const answer = await wallet.browser.signIn(opened)
    const code = answer.url.searchParams.get('code') ?? ''
    return { wallet, code, own: () => attested(clientId, own), other: () => attested(clientId, other) }
  }

  test('its code', async () => {
    const { wallet, code, own, other } = await granted()
    expect(await wallet.redeem(code, await other())).toMatchObject(invalidGrant)
    expect(await wallet.redeem(code, await own())).toMatchObject({ status: 200 })
  })

  test('its refresh token', async () => {
    const { wallet, code, own, other } = await granted()
    const { body } = await wallet.redeem(code, await own())
    expect(await wallet.refresh(body.refresh_token, await other())).toMatchObject(invalidGrant)
    expect(await wallet.refresh(body.refresh_token, await own())).toMatchObject({ status: 200 })
  })

  test('its pre-authorized code after its exchange', async () => {
    const { clientId } = await register({ attestation: attestation() })
    const { uri } = await newOffer(service, [configurationId])
    const code = (await readOffer(uri, service.anonymous)).grants[preAuthorizedGrant]['pre-authorized_code']
    const form = { grant_type: preAuthorizedGrant, 'pre-authorized_code': code, client_id: clientId }
    const [own, other] = [await newHolderKey(), await newHolderKey()]
    const redeem = async (instance: HolderKeyPair) =>
      service.anonymous.post('/v1/oauth/token', new URLSearchParams(form), await attested(clientId, instance))
    expect(await redeem(own)).toMatchObject({ status: 200 })
    expect(await redeem(own)).toMatchObject({ status: 200 })
    expect(await redeem(other)).toMatchObject(invalidGrant)
    expect(await redeem(own)).toMatchObject({ status: 200 })
  })
})
