import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CheckName } from '../../shared/domain/issuance/checks.ts'
import { createApi } from '../harness/api-client.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { type InteractionComponent, startComponent, type TokenOptions } from '../servers/interaction-component.ts'
import { type LyingProvider, startLyingProvider } from '../servers/lying-provider.ts'
import { type Receiver, type ReceiverAnswer, startReceiver } from '../servers/receiver.ts'
import { newAuthorizationWallet, redirectUri } from '../wallets/authorization-wallet.ts'
import { dpopProof, newDpopKey } from '../wallets/dpop.ts'
import { makeProof, newHolderKey, newWallet, type ProofOptions, readOffer } from '../wallets/wallet.ts'

/** All that an issuance needs, and each right until a fault says otherwise. */
let service: Service
let provider: LyingProvider
let hook: InteractionComponent
let hookAnswer: TokenOptions = {}
let source: Receiver
let sourceAnswer: ReceiverAnswer = {}
let tokens: Receiver
let tokenAnswer: ReceiverAnswer = {}
let plainId: string
let sourcedId: string
/** What each fault came to: the id of its offer. */
const injected = new Map<string, string>()

const json = (value: unknown, status = 200): ReceiverAnswer => ({ status, body: JSON.stringify(value) })
const rightToken = json({ access_token: 'token', token_type: 'Bearer', expires_in: 1 })

beforeAll(async () => {
  service = await startService()
  await service.platform.put(`/v1/tenants/${service.id}`, { publicClients: true })
  provider = await startLyingProvider(service)
  hook = await startComponent(service, {
    answer: () => ({ payload: { claims: { given_name: 'Eve' } }, ...hookAnswer }),
  })
  source = await startReceiver(() => sourceAnswer)
  tokens = await startReceiver(() => tokenAnswer)
  plainId = await compactConfiguration(service)
  const value = { tokenUrl: tokens.url, clientId: 'id', clientSecret: 'secret' }
  const authorization = { type: 'oauth-client-credentials', value }
  const made = await service.operator.post('/v1/claim-sources', { name: 'Register', url: source.url, authorization })
  const claimMappings = { grade: { mapFrom: 'claims.grade', required: true } }
  sourcedId = await compactConfiguration(service, { claimSourceId: made.body.id, claimMappings })
  for (const [name, { inject }] of Object.entries(faults)) {
    provider.lie = {}
    hookAnswer = {}
    tokenAnswer = rightToken
    sourceAnswer = json({ grade: 'A' })
    injected.set(name, await inject())
  }
})
afterAll(async () => {
  for (const each of [service, provider, hook, source, tokens]) await each?.[Symbol.asyncDispose]()
})

interface Fault {
  /** Makes it happen to an offer of its own, and gives that offer's id. */
  inject(): Promise<string>
  step: string
  check: CheckName
}

/** Somebody with an offer of their own. */
async function oneWith(extra: Record<string, unknown> = {}, configurationId = plainId) {
  const offer = await newOffer(service, [configurationId], extra)
  return { id: offer.id, offer, wallet: await newWallet(service, service.origin, offer.uri) }
}

const tokenStep = 'code exchanged for a token'
const withCode = { transactionCodeConfiguration: {} }

function atToken(
  check: CheckName,
  act: (one: Awaited<ReturnType<typeof oneWith>>) => Promise<unknown>,
  extra = {},
): Fault {
  return {
    step: tokenStep,
    check,
    async inject() {
      const one = await oneWith(extra)
      await act(one)
      return one.id
    },
  }
}

/** A proof with a fault, in a request for a credential. */
function atProof(
  check: CheckName,
  options: (key: Awaited<ReturnType<typeof newHolderKey>>) => Partial<ProofOptions>,
): Fault {
  return atCredential(check, async ({ wallet }) => {
    const jwt = [await wallet.proof(options(wallet.key))]
    await wallet.requestCredential({ proofs: { jwt } })
  })
}

function atCredential(
  check: CheckName,
  act: (one: Awaited<ReturnType<typeof oneWith>>) => Promise<unknown>,
  extra = {},
): Fault {
  return {
    step: 'credential requested',
    check,
    async inject() {
      const one = await oneWith(extra)
      expect(await one.wallet.redeem()).toMatchObject({ status: 200 })
      await act(one)
      return one.id
    },
  }
}

function atSource(check: CheckName, prepare: () => void): Fault {
  return {
    step: 'claim source asked',
    check,
    async inject() {
      const { id, wallet } = await oneWith({}, sourcedId)
      prepare()
      expect(await wallet.collect()).toMatchObject({ status: 400 })
      return id
    },
  }
}

/** Somebody with an offer for whoever signs in. */
async function anybody() {
  const { body } = await service.operator.post('/v1/openid/offers', { credentials: [plainId] })
  const { grants } = await readOffer(body.uri, service.anonymous)
  const { issuer_state: id } = grants.authorization_code
  return { id, wallet: newAuthorizationWallet(service, service.origin, plainId) }
}

type Changes = Record<string, string | undefined>

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
      const { id, wallet } = await anybody()
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
    hookAnswer = answer
  })

/** At the token endpoint, of whom signed in before. */
function atCode(
  check: CheckName,
  changes: Changes,
  headers: () => Promise<Record<string, string>> = async () => ({}),
): Fault {
  return {
    step: tokenStep,
    check,
    async inject() {
      const { id, wallet } = await anybody()
      const code = (await wallet.authorize({ issuer_state: id })).get('code') ?? ''
      expect((await wallet.redeem(code, changes, await headers())).status).toBeGreaterThanOrEqual(400)
      return id
    },
  }
}

const seconds = () => Math.floor(Date.now() / 1000)

const faults: Record<string, Fault> = {
  'the wallet is not known': atAuthorization('client', { redirect_uri: 'http://elsewhere.example/x' }),
  'the wallet asks for a token at once': atAuthorization('parameters', { response_type: 'token' }),
  'the wallet does without PKCE': atAuthorization('code_challenge', { code_challenge: undefined }),
  'the wallet names a key that is none': atAuthorization('dpop_jkt', { dpop_jkt: 'key' }),
  'the wallet asks for what is not issued': atAuthorization('requested_credentials', {
    authorization_details: JSON.stringify([{ type: 'openid_credential', credential_configuration_id: 'other' }]),
  }),
  'the person cancels': atSignIn('sign_in_consent', () => {
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
  'the ID token is signed by somebody else': atSignIn('id_token', () => {
    provider.lie = { foreignKey: true }
  }),
  'the hook signs with another secret': atHook('session_token_signature', {
    key: Buffer.alloc(32).toString('base64'),
  }),
  'the hook answers to somebody else': atHook('session_token_parties', { payload: { aud: 'https://example.org' } }),
  'the hook answers too late': atHook('session_token_times', { payload: { exp: 1 } }),
  'the hook says claims that are none': atHook('session_token_content', { payload: { claims: 'all' } }),
  'the source answers with more than is read': atSource('source_reached', () => {
    sourceAnswer = { body: ' '.repeat(600_000) }
  }),
  'the source fails': atSource('source_status', () => {
    sourceAnswer = { status: 500 }
  }),
  'the source answers with a list': atSource('source_content', () => {
    sourceAnswer = json([])
  }),
  'the source gives no token': atSource('source_token', () => {
    tokenAnswer = json({ error: 'invalid_client' }, 401)
  }),
  'the transaction code is wrong': atToken(
    'transaction_code',
    ({ wallet }) => wallet.redeem({ tx_code: 'x' }),
    withCode,
  ),
  'the transaction code is missing': atToken('transaction_code_sent', ({ wallet }) => wallet.redeem(), withCode),
  'a second wallet comes with the same offer': atToken('code_unused', async ({ wallet }) => {
    await wallet.redeem()
    await wallet.redeem({ client_id: 'another' })
  }),
  'the DPoP proof is for another address': atToken('dpop_proof', async ({ offer }) => {
    const { grants } = await readOffer(offer.uri, service.anonymous)
    const grant_type = 'urn:ietf:params:oauth:grant-type:pre-authorized_code'
    const form = new URLSearchParams({ grant_type, 'pre-authorized_code': grants[grant_type]['pre-authorized_code'] })
    const DPoP = await dpopProof({ key: await newDpopKey(), url: 'https://example.org/token' })
    expect(await service.anonymous.post('/v1/oauth/token', form, { DPoP })).toMatchObject({ status: 400 })
  }),
  'the code is brought by another client': atCode('code_client', { client_id: 'another' }),
  'the verifier is another': atCode('code_verifier', { code_verifier: 'x'.repeat(43) }),
  'the redirect URI is another': atCode('redirect_uri', { redirect_uri: `${redirectUri}/other` }),
  'the DPoP proof of a code is old': atCode('dpop_proof', {}, async () => ({
    DPoP: await dpopProof({
      key: await newDpopKey(),
      url: `${service.baseUrl}/v1/oauth/token`,
      payload: { iat: seconds() - 3_600 },
    }),
  })),
  'the proof is for another issuer': atProof('proof_audience', () => ({ issuer: 'https://example.org' })),
  'the proof is old': atProof('proof_times', () => ({ payload: { iat: seconds() - 3_600 } })),
  'the proof is signed with another key': atCredential('proof_signature', async ({ wallet }) => {
    const { publicJwk } = await newHolderKey()
    const jwt = [await wallet.proof({ header: { jwk: publicJwk } })]
    await wallet.requestCredential({ proofs: { jwt } })
  }),
  'the proof names no key': atProof('proof_key', () => ({ header: { jwk: undefined } })),
  'there is no proof': atCredential('proof_form', ({ wallet }) => wallet.requestCredential({ proofs: undefined })),
  'the nonce was used': atCredential('nonce', async ({ wallet }) => {
    const nonce = await wallet.nonce()
    for (const key of [wallet.key, await newHolderKey()]) {
      const jwt = [await makeProof({ issuer: service.baseUrl, nonce, key })]
      await wallet.requestCredential({ proofs: { jwt } })
    }
  }),
  'another credential is asked for': atCredential('configuration', ({ wallet }) =>
    wallet.requestCredential({ credential_configuration_id: 'another' }),
  ),
  'a claim is missing': atCredential('claims', ({ wallet }) => wallet.requestCredential(), { claims: {} }),
  'the answer is to be encrypted for no key': atCredential('encryption', ({ wallet }) =>
    wallet.requestCredential({ credential_response_encryption: { jwk: {}, enc: 'none' } }),
  ),
  'a bearer token comes as a DPoP token': {
    step: 'credential requested',
    check: 'access_token_key',
    async inject() {
      const { id, wallet } = await oneWith()
      const { access_token } = (await wallet.redeem()).body
      const authorization = { authorization: `DPoP ${access_token}` }
      expect(await service.anonymous.post('/v1/openid/credential', {}, authorization)).toMatchObject({ status: 401 })
      return id
    },
  },
  'the wallet cannot take the credential': {
    step: 'wallet says: credential_failure',
    check: 'taken_by_wallet',
    async inject() {
      const { id, wallet } = await oneWith()
      const { access_token } = (await wallet.redeem()).body
      const { notification_id } = (await wallet.requestCredential()).body
      const bearer = createApi(service.origin, service.host, access_token)
      await bearer.post('/v1/openid/notification', { notification_id, event: 'credential_failure' })
      return id
    },
  },
  'the offer is expired': atToken('code_expiry', async ({ wallet }) => {
    const later = 6 * 60_000
    service.clock.advance(later)
    await wallet.redeem()
    service.clock.advance(-later)
  }),
}

interface Step {
  step: string
  outcome: string
  passed?: string[]
  refusedBy?: { check: string; clause: string }
}

/** What failed, once it is told: that comes through the queue. */
async function failureOf(name: string, { step }: Fault): Promise<Step> {
  return eventually(async () => {
    const { body } = await service.operator.get(`/v1/openid/offers/${injected.get(name)}/timeline`)
    const steps: Step[] = body.data ?? []
    return steps.find((each) => each.step === step && each.outcome === 'failure')
  }, 10_000)
}

describe('the timeline names the check that refused', () => {
  test('of 25 faults and more, and each by its own name and clause', () => {
    expect(injected.size).toBeGreaterThanOrEqual(25)
    expect(new Set(Object.values(faults).map(({ check }) => check)).size).toBeGreaterThanOrEqual(25)
  })

  test.each(Object.keys(faults))('%s', async (name) => {
    const fault = faults[name]
    if (!fault) throw new Error('no such fault')
    const { refusedBy, passed } = await failureOf(name, fault)
    expect(refusedBy).toEqual({ check: fault.check, clause: expect.stringMatching(/^(OpenID|RFC)/) })
    expect(passed).not.toContain(fault.check)
  })
})
