import { expect } from 'vitest'
import type { CheckName } from '../../shared/domain/issuance/checks.ts'
import { compactConfiguration } from '../harness/factories.ts'
import type { TokenOptions } from '../servers/interaction-component.ts'
import { redirectUri } from '../wallets/authorization-wallet.ts'
import { dpopProof, jktOf, newDpopKey } from '../wallets/dpop.ts'
import { makeProof, newHolderKey } from '../wallets/wallet.ts'
import { type Fault, type FaultKit, tokenStep } from './fault-kit.ts'

const providers = '/v1/users/authentication-providers'
const seconds = () => Math.floor(Date.now() / 1000)

type Changes = Record<string, string | undefined>

/** The faults of authorization requests, sign-ins, interactions and their tokens. */
export function signInFaults({ service, bare, provider, answers, plainId, anyone }: FaultKit): Record<string, Fault> {
  /** A wallet that signed in, with the DPoP key and the response of the token endpoint. */
  async function signedIn() {
    const { id, wallet } = await anyone()
    const key = await newDpopKey()
    const proof = (path: string, accessToken?: string) =>
      dpopProof({ key, url: `${service.baseUrl}${path}`, ...(accessToken ? { accessToken } : {}) })
    const code = (await wallet.authorize({ issuer_state: id })).get('code') ?? ''
    const { body: token } = await wallet.redeem(code, {}, { dpop: await proof('/v1/oauth/token') })
    return { id, wallet, proof, token }
  }

  function atAuthorization(
    check: CheckName,
    changes: Changes,
    step = 'authorization requested',
    prepare = () => {},
  ): Fault {
    return {
      step,
      check,
      async inject() {
        const { id, wallet } = await anyone()
        prepare()
        await wallet.browser.signIn(wallet.authorizeUrl({ issuer_state: id, ...changes }))
        return id
      },
    }
  }

  const atSignIn = (check: CheckName, prepare: () => void) =>
    atAuthorization(check, {}, 'sign-in at the identity provider', prepare)
  const atHook = (check: CheckName, answer: TokenOptions) =>
    atAuthorization(check, {}, 'interaction', () => {
      answers.hook = answer
    })

  /** A fault of a token request after a sign-in. */
  function atCode(
    check: CheckName,
    changes: Changes,
    headers: () => Promise<Record<string, string>> = async () => ({}),
  ): Fault {
    return {
      step: tokenStep,
      check,
      async inject() {
        const { id, wallet } = await anyone()
        const code = (await wallet.authorize({ issuer_state: id })).get('code') ?? ''
        expect((await wallet.redeem(code, changes, await headers())).status).toBeGreaterThanOrEqual(400)
        return id
      },
    }
  }

  return {
    'the wallet is unknown': atAuthorization('client', { redirect_uri: 'http://elsewhere.example/x' }),
    'the response type is token': atAuthorization('parameters', { response_type: 'token' }),
    'the request has no PKCE challenge': atAuthorization('code_challenge', { code_challenge: undefined }),
    'the key thumbprint is not valid': atAuthorization('dpop_jkt', { dpop_jkt: 'key' }),
    'the request names an unknown credential': atAuthorization('requested_credentials', {
      authorization_details: JSON.stringify([{ type: 'openid_credential', credential_configuration_id: 'other' }]),
    }),
    'the user cancels before the sign-in': {
      step: 'review before the sign-in',
      check: 'review_confirmed',
      async inject() {
        const { id, wallet } = await anyone()
        const set = (value: boolean) =>
          service.platform.put(`/v1/tenants/${service.id}?partial=true`, { reviewBeforeSignIn: value })
        await set(true)
        const { location } = await wallet.browser.open(wallet.authorizeUrl({ issuer_state: id }))
        await set(false)
        await wallet.browser.open(location ?? service.origin, 'POST', { answer: 'cancel' })
        return id
      },
    },
    'the user cancels': atSignIn('sign_in_consent', () => {
      provider.lie = { error: 'access_denied' }
    }),
    'the provider refuses': atSignIn('provider_error', () => {
      provider.lie = { error: 'invalid_scope' }
    }),
    'the token endpoint of the provider fails': atSignIn('provider_code', () => {
      provider.lie = { status: 400, body: '{"error":"invalid_client"}' }
    }),
    'the ID token is for another sign-in': atSignIn('id_token', () => {
      provider.lie = { claims: { nonce: 'another' } }
    }),
    'the ID token is signed with another key': atSignIn('id_token', () => {
      provider.lie = { foreignKey: true }
    }),
    'the hook signs with another secret': atHook('session_token_signature', {
      key: Buffer.alloc(32).toString('base64'),
    }),
    'the hook names another audience': atHook('session_token_parties', { payload: { aud: 'https://example.org' } }),
    'the hook answers too late': atHook('session_token_times', { payload: { exp: 1 } }),
    'the claims of the hook are not an object': atHook('session_token_content', { payload: { claims: 'all' } }),
    'another client sends the code': atCode('code_client', { client_id: 'another' }),
    'the code verifier is wrong': atCode('code_verifier', { code_verifier: 'x'.repeat(43) }),
    'the redirect URI is wrong': atCode('redirect_uri', { redirect_uri: `${redirectUri}/other` }),
    'the DPoP proof of a code is old': atCode('dpop_proof', {}, async () => ({
      DPoP: await dpopProof({
        key: await newDpopKey(),
        url: `${service.baseUrl}/v1/oauth/token`,
        payload: { iat: seconds() - 3_600 },
      }),
    })),
    'a pushed request names another one': {
      step: 'authorization request pushed',
      check: 'pushed_request',
      async inject() {
        const { id, wallet } = await anyone()
        const { searchParams } = wallet.authorizeUrl({ issuer_state: id, request_uri: 'urn:example' })
        const form = new URLSearchParams(searchParams)
        expect(await service.anonymous.post('/v1/oauth/par', form)).toMatchObject({ status: 400 })
        return id
      },
    },
    'no identity provider is configured': {
      step: 'authorization requested',
      check: 'provider_reached',
      tenant: () => bare,
      async inject() {
        const { id, wallet } = await anyone(bare, await compactConfiguration(bare))
        const { pathname, search } = wallet.authorizeUrl({ issuer_state: id })
        await bare.anonymous.get(pathname + search)
        return id
      },
    },
    'a pushed request is completed in two tabs': {
      step: 'interaction',
      check: 'sign_in_state',
      async inject() {
        const { id, wallet } = await anyone()
        const form = new URLSearchParams(wallet.authorizeUrl({ issuer_state: id }).searchParams)
        const { body } = await service.anonymous.post('/v1/oauth/par', form)
        const query = new URLSearchParams({ client_id: 'test-wallet', request_uri: body.request_uri })
        const open = () => wallet.browser.open(`${service.origin}/v1/oauth/authorize?${query}`)
        const tabs = [await open(), await open()]
        for (const { location } of tabs) await wallet.browser.signIn(location ?? service.origin)
        return id
      },
    },
    'the provider is changed during the sign-in': {
      step: 'sign-in at the identity provider',
      check: 'provider_settings',
      async inject() {
        const { id, wallet } = await anyone()
        const { location } = await wallet.browser.open(wallet.authorizeUrl({ issuer_state: id }))
        const [settings] = (await service.operator.get(providers)).body.data
        const change = (clientId: string) =>
          service.operator.put(`${providers}/${settings.id}`, { ...settings, clientId, clientSecret: 'secret' })
        expect(await change('another')).toMatchObject({ status: 200 })
        await wallet.browser.signIn(location ?? service.origin)
        await change('liar')
        return id
      },
    },
    'the code is bound to a key': {
      step: tokenStep,
      check: 'dpop_key',
      async inject() {
        const { id, wallet } = await anyone()
        const dpop_jkt = await jktOf(await newDpopKey())
        const code = (await wallet.authorize({ issuer_state: id, dpop_jkt })).get('code') ?? ''
        expect(await wallet.redeem(code)).toMatchObject({ status: 400 })
        return id
      },
    },
    'another client sends the refresh token': {
      step: tokenStep,
      check: 'refresh_token',
      async inject() {
        const { id, wallet, proof, token } = await signedIn()
        const { refresh_token } = token
        const refresh = { grant_type: 'refresh_token', refresh_token, client_id: 'another' }
        const headers = { dpop: await proof('/v1/oauth/token') }
        expect(await wallet.redeem('', { ...refresh, redirect_uri: undefined }, headers)).toMatchObject({ status: 400 })
        return id
      },
    },
    'two credentials are requested of a session for one': {
      step: 'credential requested',
      check: 'batch_size',
      async inject() {
        const { id, proof, token } = await signedIn()
        const nonce = (await service.anonymous.post('/v1/openid/nonce')).body.c_nonce
        const keys = [await newHolderKey(), await newHolderKey()]
        const jwt = await Promise.all(keys.map((key) => makeProof({ issuer: service.baseUrl, nonce, key })))
        const path = '/v1/openid/credential'
        const headers = {
          authorization: `DPoP ${token.access_token}`,
          dpop: await proof(path, token.access_token),
        }
        const body = { credential_configuration_id: plainId, proofs: { jwt } }
        expect(await service.anonymous.post(path, body, headers)).toMatchObject({ status: 400 })
        return id
      },
    },
  }
}
