import * as oauth from 'oauth4webapi'
import type { ProtocolProfile } from '../../shared/domain/tenancy/protocol-profiles.ts'
import { newOffer } from '../harness/factories.ts'
import type { TestTenant } from '../harness/harness.ts'
import { newBrowser } from '../servers/provider.ts'
import { type Attester, attestClient, possessionOf } from './attestation.ts'
import { redirectUri } from './authorization-wallet.ts'
import { newDpopKey } from './dpop.ts'
import { makeProof, newHolderKey, preAuthorizedGrant, readOffer } from './wallet.ts'

const clientId = 'library-wallet'
const insecure = { [oauth.allowInsecureRequests]: true }
const attestedKey = await newDpopKey()

/** Attestation-based client authentication, which the library leaves to its user. */
async function authenticationOf({ profile, attester, tenant }: WalletTarget): Promise<oauth.ClientAuth> {
  if (profile !== 'haip') return oauth.None()
  const attestation = await attestClient(attester, { clientId, publicJwk: attestedKey.publicJwk })
  const possession = await possessionOf(attestedKey, tenant.baseUrl)
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

/** An issuer of the tests, which can be a view, and what the wallet collects there. */
export interface WalletTarget {
  /** The tenant, or the tenant as seen through a view. */
  tenant: TestTenant
  configurationId: string
  profile: ProtocolProfile
  attester: Attester
  /** The members of new offers. */
  offer?: Record<string, unknown>
}

/** A wallet of oauth4webapi: requests and checks of OAuth are the library's. */
export async function newOauth4webapiWallet(target: WalletTarget, isBound: boolean) {
  const { tenant, configurationId, profile, offer = {} } = target
  const issuer = new URL(tenant.baseUrl)
  const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
  const server = await oauth.processDiscoveryResponse(issuer, discovered)
  const client: oauth.Client = { client_id: clientId }
  const bound = isBound ? { DPoP: oauth.DPoP(client, await oauth.generateKeyPair('ES256')) } : {}
  const options = { ...bound, ...insecure }
  const authentication = () => authenticationOf(target)
  const details = JSON.stringify([{ type: 'openid_credential', credential_configuration_id: configurationId }])

  return {
    tenant,
    async byPreAuthorizedCode() {
      const { uri } = await newOffer(tenant, [configurationId], offer)
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
