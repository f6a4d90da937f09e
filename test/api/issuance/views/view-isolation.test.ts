import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, createApi } from '../../../harness/api-client.ts'
import { compactConfiguration, newOffer, webConfiguration } from '../../../harness/factories.ts'
import { joinService, type SharedService } from '../../../harness/harness.ts'
import { startProvider, type TestProvider } from '../../../servers/provider.ts'
import { clientId, newAuthorizationWallet, redirectUri, registerWallet } from '../../../wallets/authorization-wallet.ts'
import { dpopProof, newDpopKey } from '../../../wallets/dpop.ts'
import { type HolderKeyPair, makeProof, newHolderKey, preAuthorizedGrant } from '../../../wallets/wallet.ts'

/** An issuer identifier of the tenant: the tenant itself, or one of its views. */
interface Issuer {
  name: string
  viewId: string | undefined
  path: string
  issuer: string
  api: Api
}

let service: SharedService
let provider: TestProvider
let configurationId: string
let key: HolderKeyPair
const issuers = new Map<string, Issuer>()

beforeAll(async () => {
  service = await joinService()
  provider = await startProvider(service)
  await registerWallet(service)
  configurationId = await webConfiguration(service)
  key = await newDpopKey()
  const add = (name: string, viewId: string | undefined, path: string) =>
    issuers.set(name, {
      ...{ name, viewId, path, issuer: service.baseUrl + path },
      api: createApi(service.origin + path, service.host),
    })
  add('the tenant', undefined, '')
  for (const name of ['one', 'two']) {
    const content = { name, path: name, profile: 'standard', configurations: { ids: [configurationId] } }
    add(`view ${name}`, (await service.operator.post('/v1/views', content)).body.id, `/views/${name}`)
  }
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const named = (name: string) => issuers.get(name) as Issuer
const nonceAt = async ({ api }: Issuer) => (await api.post('/v1/openid/nonce')).body.c_nonce as string

/** The parameters of the code of a new offer. */
async function preAuthorizedForm({ viewId }: Issuer) {
  const { uri } = await newOffer(service, [configurationId], viewId === undefined ? {} : { view: viewId })
  const offer = JSON.parse(new URL(uri).searchParams.get('credential_offer') ?? '')
  const code = offer.grants[preAuthorizedGrant]['pre-authorized_code']
  return new URLSearchParams({ grant_type: preAuthorizedGrant, 'pre-authorized_code': code })
}

/** The parameters of a code after a sign-in at an issuer, and the `iss` of the answer. */
async function authorizationCodeForm({ path }: Issuer) {
  const wallet = newAuthorizationWallet(service, service.origin + path, configurationId)
  const answer = await wallet.authorize()
  const code = { code: answer.get('code') ?? '', code_verifier: wallet.verifier }
  const form = { grant_type: 'authorization_code', client_id: clientId, redirect_uri: redirectUri, ...code }
  return { form: new URLSearchParams(form), iss: answer.get('iss') }
}

const redeem = async ({ issuer, api }: Issuer, form: URLSearchParams) =>
  api.post('/v1/oauth/token', form, { dpop: await dpopProof({ key, url: `${issuer}/v1/oauth/token` }) })

interface CredentialCall {
  token: string
  nonce: string
  audience: string
}

async function collect({ issuer, api }: Issuer, { token, nonce, audience }: CredentialCall) {
  const proof = await makeProof({ issuer: audience, nonce, key: await newHolderKey() })
  const dpop = await dpopProof({ key, url: `${issuer}/v1/openid/credential`, accessToken: token })
  const body = { credential_configuration_id: configurationId, proofs: { jwt: [proof] } }
  return api.post('/v1/openid/credential', body, { authorization: `DPoP ${token}`, dpop })
}

/** The answer to something that does not exist. */
const unknown = {
  grant: { status: 400, body: { error: 'invalid_grant' } },
  token: { status: 401, body: { error: 'invalid_token' } },
}

const pairs = ['the tenant', 'view one', 'view two'].flatMap((from) =>
  ['the tenant', 'view one', 'view two'].filter((at) => at !== from).map((at) => ({ from, at })),
)

describe.each(pairs)('what $from issued is refused at $at, and works at $from:', ({ from, at }) => {
  const [own, other] = [() => named(from), () => named(at)]

  test('a pre-authorized code', async () => {
    const form = await preAuthorizedForm(own())
    const refused = await redeem(other(), form)
    const invented = await redeem(
      other(),
      new URLSearchParams({ ...Object.fromEntries(form), 'pre-authorized_code': 'x' }),
    )
    expect(refused).toMatchObject(unknown.grant)
    expect(refused.body).toEqual(invented.body)
    expect(await redeem(own(), form)).toMatchObject({ status: 200 })
  })

  test('an authorization code, and its refresh token', async () => {
    const { form, iss } = await authorizationCodeForm(own())
    expect(iss).toBe(own().issuer)
    expect(await redeem(other(), form)).toMatchObject(unknown.grant)
    const token = await redeem(own(), form)
    expect(token.status).toBe(200)
    const refresh = { grant_type: 'refresh_token', client_id: clientId, refresh_token: token.body.refresh_token }
    expect(await redeem(other(), new URLSearchParams(refresh))).toMatchObject(unknown.grant)
    expect(await redeem(own(), new URLSearchParams(refresh))).toMatchObject({ status: 200 })
  })

  test('an access token, also for its revocation', async () => {
    const { access_token: token } = (await redeem(own(), await preAuthorizedForm(own()))).body
    const call = async (issuer: Issuer) => ({ token, nonce: await nonceAt(issuer), audience: issuer.issuer })
    expect(await collect(other(), await call(other()))).toMatchObject(unknown.token)
    const revocation = `${other().issuer}/v1/oauth/revoke`
    const revoked = await other().api.post('/v1/oauth/revoke', new URLSearchParams({ token }), {
      dpop: await dpopProof({ key, url: revocation }),
    })
    expect(revoked.status).toBe(200)
    expect(await collect(own(), await call(own()))).toMatchObject({ status: 200 })
  })

  test('a nonce, and the audience of a proof', async () => {
    const { access_token: token } = (await redeem(own(), await preAuthorizedForm(own()))).body
    const [nonce, audience] = [await nonceAt(own()), own().issuer]
    const wrongNonce = await collect(own(), { token, audience, nonce: await nonceAt(other()) })
    expect(wrongNonce).toMatchObject({ status: 400, body: { error: 'invalid_nonce' } })
    const wrongAudience = await collect(own(), { token, nonce, audience: other().issuer })
    expect(wrongAudience).toMatchObject({ status: 400, body: { error: 'invalid_proof' } })
    const answer = await collect(own(), { token, nonce, audience })
    expect(answer.status).toBe(200)
    const notify = async (issuer: Issuer) => {
      const url = `${issuer.issuer}/v1/openid/notification`
      const headers = { authorization: `DPoP ${token}`, dpop: await dpopProof({ key, url, accessToken: token }) }
      const body = { notification_id: answer.body.notification_id, event: 'credential_accepted' }
      return issuer.api.post('/v1/openid/notification', body, headers)
    }
    expect(await notify(other())).toMatchObject(unknown.token)
    expect(await notify(own())).toMatchObject({ status: 204 })
  })

  test('an offer by reference', async () => {
    const view = own().viewId
    const extra = { by: 'reference', ...(view !== undefined && { view }) }
    const { uri } = await newOffer(service, [configurationId], extra)
    const reference = new URL(uri).searchParams.get('credential_offer_uri')?.split('/').at(-1)
    expect(await other().api.get(`/v1/openid/offers/${reference}`)).toMatchObject({ status: 404 })
    expect(await own().api.get(`/v1/openid/offers/${reference}`)).toMatchObject({ status: 200 })
  })

  test('the issuer_state of an offer, and a pushed request', async () => {
    const view = own().viewId
    const offer = { credentials: [configurationId], ...(view !== undefined && { view }) }
    const { uri } = (await service.operator.post('/v1/openid/offers', offer)).body
    const { grants } = JSON.parse(new URL(uri).searchParams.get('credential_offer') ?? '')
    const wallet = newAuthorizationWallet(service, service.origin, configurationId)
    const parameters = wallet.authorizeUrl({ issuer_state: grants.authorization_code.issuer_state }).searchParams
    expect(await other().api.post('/v1/oauth/par', parameters)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    })
    const pushed = await own().api.post('/v1/oauth/par', parameters)
    expect(pushed.status).toBe(201)
    const query = new URLSearchParams({ client_id: clientId, request_uri: pushed.body.request_uri })
    const open = (issuer: Issuer) => wallet.browser.open(`${service.origin}${issuer.path}/v1/oauth/authorize?${query}`)
    expect(await open(other())).toMatchObject({ status: 400 })
    expect(await open(own())).toMatchObject({ status: 302 })
  })
})

test('a view grants only the configurations that it publishes', async () => {
  const unpublished = await compactConfiguration(service)
  const metadata = (await service.anonymous.get('/.well-known/openid-credential-issuer')).body
  const { scope } = metadata.credential_configurations_supported[unpublished]
  const push = (issuer: Issuer, changes: Record<string, string | undefined>) => {
    const wallet = newAuthorizationWallet(service, service.origin, unpublished)
    return issuer.api.post('/v1/oauth/par', wallet.authorizeUrl(changes).searchParams)
  }
  const byScope = { scope, authorization_details: undefined }
  for (const changes of [{}, byScope]) {
    expect(await push(named('view one'), changes)).toMatchObject({ status: 400 })
    expect(await push(named('the tenant'), changes)).toMatchObject({ status: 201 })
  }
})
