import { CompactEncrypt, compactDecrypt, exportJWK, generateKeyPair, importJWK } from 'jose'
import * as oauth from 'oauth4webapi'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { joinService, type SharedService, type TestTenant } from '../harness/harness.ts'
import { newBrowser, startProvider, type TestProvider } from '../servers/provider.ts'
import { type Attester, attestClient, newAttester, possessionOf } from '../wallets/attestation.ts'
import { redirectUri } from '../wallets/authorization-wallet.ts'
import { newDpopKey } from '../wallets/dpop.ts'
import { resolveEverythingHere } from '../wallets/library-wallet.ts'
import { makeProof, newHolderKey, preAuthorizedGrant, readOffer } from '../wallets/wallet.ts'

/** A wallet of oauth4webapi, in all grants, against all profiles: requests and checks of OAuth are the library's. */
const profiles = ['standard', 'lenient', 'haip'] as const
type Profile = (typeof profiles)[number]
const clientId = 'library-wallet'

let service: SharedService
let attester: Attester
const tenants = new Map<Profile, { tenant: TestTenant; configurationId: string }>()
const providers: TestProvider[] = []

beforeAll(async () => {
  resolveEverythingHere()
  service = await joinService()
  attester = await newAttester()
  for (const profile of profiles) {
    const tenant = await service.addTenant({ profile })
    providers.push(await startProvider(tenant))
    tenants.set(profile, { tenant, configurationId: await compactConfiguration(tenant) })
    const attestation = { required: profile === 'haip', rootCertificates: [attester.rootPem] }
    const client = { name: 'Library', clientId, redirectUris: [redirectUri], attestation }
    expect(await tenant.operator.post('/v1/openid/clients', client)).toMatchObject({ status: 201 })
  }
})
afterAll(async () => {
  for (const provider of providers) await provider[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const insecure = { [oauth.allowInsecureRequests]: true }
const attestedKey = await newDpopKey()

/** Attestation-based client authentication, which the library leaves to its user. */
async function authenticationOf(profile: Profile, issuer: string): Promise<oauth.ClientAuth> {
  if (profile !== 'haip') return oauth.None()
  const attestation = await attestClient(attester, { clientId, publicJwk: attestedKey.publicJwk })
  const possession = await possessionOf(attestedKey, issuer)
  return (_server, client, body, headers) => {
    body.set('client_id', client.client_id)
    headers.set('oauth-client-attestation', attestation)
    headers.set('oauth-client-attestation-pop', possession)
  }
}

/** Once more with the nonce that the library has kept from the refusal. */
async function withNonce<Result>(request: () => Promise<Result>): Promise<Result> {
  try {
    return await request()
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error
    return request()
  }
}

async function newWallet(profile: Profile, isBound: boolean) {
  const { tenant, configurationId } = tenants.get(profile) ?? { tenant: service, configurationId: '' }
  const issuer = new URL(tenant.baseUrl)
  const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
  const server = await oauth.processDiscoveryResponse(issuer, discovered)
  const client: oauth.Client = { client_id: clientId }
  const bound = isBound ? { DPoP: oauth.DPoP(client, await oauth.generateKeyPair('ES256')) } : {}
  const options = { ...bound, ...insecure }
  const authentication = () => authenticationOf(profile, tenant.baseUrl)
  const details = JSON.stringify([{ type: 'openid_credential', credential_configuration_id: configurationId }])

  return {
    tenant,
    async byPreAuthorizedCode() {
      const { uri } = await newOffer(tenant, [configurationId])
      const code = (await readOffer(uri, tenant.anonymous)).grants[preAuthorizedGrant]['pre-authorized_code']
      const parameters = { 'pre-authorized_code': code, authorization_details: details }
      return withNonce(async () => {
        const none = await authentication()
        const response = await oauth.genericTokenEndpointRequest(
          server,
          client,
          none,
          preAuthorizedGrant,
          parameters,
          options,
        )
        return oauth.processGenericTokenEndpointResponse(server, client, response)
      })
    },
    async byAuthorizationCode(isPushed: boolean) {
      const verifier = oauth.generateRandomCodeVerifier()
      const parameters = new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state: 'state',
        authorization_details: details,
      })
      const url = new URL(server.authorization_endpoint ?? '')
      url.search = String(isPushed ? await this.push(parameters) : parameters)
      const browser = newBrowser((address) => address.href.startsWith(redirectUri))
      const { url: answered } = await browser.signIn(url)
      const answer = oauth.validateAuthResponse(server, client, answered, 'state')
      return withNonce(async () => {
        const how = await authentication()
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          client,
          how,
          answer,
          redirectUri,
          verifier,
          options,
        )
        return oauth.processAuthorizationCodeResponse(server, client, response)
      })
    },
    async push(parameters: URLSearchParams): Promise<URLSearchParams> {
      const { request_uri } = await withNonce(async () => {
        const response = await oauth.pushedAuthorizationRequest(
          server,
          client,
          await authentication(),
          parameters,
          options,
        )
        return oauth.processPushedAuthorizationResponse(server, client, response)
      })
      return new URLSearchParams({ client_id: clientId, request_uri })
    },
    async refresh(token: string) {
      return withNonce(async () => {
        const response = await oauth.refreshTokenGrantRequest(server, client, await authentication(), token, options)
        return oauth.processRefreshTokenResponse(server, client, response)
      })
    },
    /** The credential of a token; `seal` makes another body of the request. */
    async collect(token: oauth.TokenEndpointResponse, seal?: (body: object) => Promise<string>): Promise<Response> {
      const url = new URL(`${tenant.baseUrl}/v1/openid/credential`)
      const identifier = Object(token.authorization_details?.[0]).credential_identifiers[0]
      return withNonce(async () => {
        const nonce = profile === 'lenient' ? undefined : (await tenant.anonymous.post('/v1/openid/nonce')).body.c_nonce
        const proof = await makeProof({ issuer: tenant.baseUrl, nonce, key: await newHolderKey() })
        const request = { credential_identifier: identifier, proofs: { jwt: [proof] } }
        const headers = new Headers({ 'content-type': seal ? 'application/jwt' : 'application/json' })
        const body = seal ? await seal(request) : JSON.stringify(request)
        return oauth.protectedResourceRequest(token.access_token, 'POST', url, headers, body, options)
      })
    },
  }
}

const bindings = [
  { profile: 'standard', isBound: false },
  { profile: 'standard', isBound: true },
  { profile: 'lenient', isBound: false },
  { profile: 'lenient', isBound: true },
  { profile: 'haip', isBound: true },
] as const

test.each(bindings)('by pre-authorized code, profile $profile, DPoP: $isBound', async ({ profile, isBound }) => {
  const wallet = await newWallet(profile, isBound)
  const token = await wallet.byPreAuthorizedCode()
  expect(token.token_type).toBe(isBound ? 'dpop' : 'bearer')
  const answer = await wallet.collect(token)
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ credentials: [{ credential: expect.any(String) }] })
})

describe('by authorization code', () => {
  const ways = bindings.flatMap((binding) =>
    (binding.profile === 'haip' ? [true] : [true, false]).map((isPushed) => ({ ...binding, isPushed })),
  )
  test.each(ways)('profile $profile, DPoP: $isBound, pushed: $isPushed', async ({ profile, isBound, isPushed }) => {
    const wallet = await newWallet(profile, isBound)
    const token = await wallet.byAuthorizationCode(isPushed)
    expect((await wallet.collect(token)).status).toBe(200)
    expect(token.refresh_token !== undefined).toBe(isBound)
    if (token.refresh_token === undefined) return
    const again = await wallet.refresh(token.refresh_token)
    expect(again.refresh_token).toBe(token.refresh_token)
    // The same credential once more.
    expect((await wallet.collect(again)).status).toBe(200)
  })
})

test.each(bindings)('encrypted both ways, profile $profile, DPoP: $isBound', async ({ profile, isBound }) => {
  const wallet = await newWallet(profile, isBound)
  const { body: metadata } = await wallet.tenant.anonymous.get('/.well-known/openid-credential-issuer')
  const [jwk] = metadata.credential_request_encryption.jwks.keys
  const { publicKey, privateKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256', extractable: true })
  const encryption = { jwk: { ...(await exportJWK(publicKey)), alg: 'ECDH-ES', kid: 'wallet' }, enc: 'A256GCM' }
  const key = await importJWK(jwk, jwk.alg)
  const seal = (body: object) =>
    new CompactEncrypt(Buffer.from(JSON.stringify({ ...body, credential_response_encryption: encryption })))
      .setProtectedHeader({ alg: jwk.alg, enc: 'A256GCM', kid: jwk.kid })
      .encrypt(key)
  const answer = await wallet.collect(await wallet.byPreAuthorizedCode(), seal)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toContain('application/jwt')
  const { plaintext } = await compactDecrypt(await answer.text(), privateKey)
  expect(JSON.parse(Buffer.from(plaintext).toString()).credentials).toHaveLength(1)
})
