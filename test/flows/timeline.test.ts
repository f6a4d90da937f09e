import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { events } from '../../db/tables/operations/events.ts'
import { createApi } from '../harness/api-client.ts'
import { compactConfiguration, newOffer } from '../harness/factories.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import { type Receiver, startReceiver } from '../servers/receiver.ts'
import { newAuthorizationWallet } from '../wallets/authorization-wallet.ts'
import { makeProof, newHolderKey, newWallet } from '../wallets/wallet.ts'

let service: Service
let receiver: Receiver
let provider: TestProvider
let configurationId: string
let answerStatus = 200
let webhookId: string

beforeAll(async () => {
  service = await startService()
  receiver = await startReceiver(() => ({ status: answerStatus }))
  provider = await startProvider(service)
  configurationId = await compactConfiguration(service)
  await service.platform.put(`/v1/tenants/${service.id}`, { publicClients: true })
  const hook = { events: ['OpenIdCredentialIssuedSummary'], url: receiver.url }
  webhookId = (await service.operator.post('/v1/webhooks', hook)).body.id
})
afterAll(async () => {
  await service?.[Symbol.asyncDispose]()
  await provider?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
})

interface Step {
  at: string
  step: string
  outcome: string
  reason?: string
  requestId?: string
  userId?: string
  sessionId?: string
  webhookId?: string
  webhookHost?: string
}

/** Of an offer that is deleted there is nothing before its events are stored. */
const timelineOf = async (id: string): Promise<Step[]> => {
  const { body } = await service.operator.get(`/v1/openid/offers/${id}/timeline`)
  return body.data ?? []
}

/** The timeline after a step was added. Events arrive through the queue. */
const timelineWith = (id: string, step: string, outcome = 'success') =>
  eventually(async () => {
    const steps = await timelineOf(id)
    return steps.some((each) => each.step === step && each.outcome === outcome) && steps
  })

const secretName = 'Augusta-Ada-Byron'

async function redeemable(extra: Record<string, unknown> = {}) {
  const offer = await newOffer(service, [configurationId], { claims: { given_name: secretName }, ...extra })
  return { offer, wallet: await newWallet(service, service.origin, offer.uri) }
}

test('the timeline of a successful offer has all steps in order, without a claim, code or token', async () => {
  const { offer, wallet } = await redeemable()
  const { body: token } = await wallet.redeem()
  const { body: credential } = await wallet.requestCredential()
  const bearer = createApi(service.origin, service.host, token.access_token)
  await bearer.post('/v1/openid/notification', {
    notification_id: credential.notification_id,
    event: 'credential_accepted',
  })
  await timelineWith(offer.id, 'webhook called: OpenIdCredentialIssuedSummary')
  const steps = await timelineWith(offer.id, 'notification by the wallet')
  expect(steps.every(({ outcome }) => outcome === 'success')).toBe(true)
  const names = steps.map(({ step }) => step)
  for (const [earlier, later] of [
    ['offer created', 'code exchanged for a token'],
    ['code exchanged for a token', 'credential signed'],
    ['credential signed', 'wallet says: credential_accepted'],
  ] as const) {
    expect(names.indexOf(earlier)).toBeGreaterThanOrEqual(0)
    expect(names.indexOf(earlier)).toBeLessThan(names.indexOf(later))
  }
  expect(names.filter((name) => name === 'credential requested')).toHaveLength(1)
  const { sessionId } = steps.find(({ step }) => step === 'credential signed') ?? {}
  const whose = { userId: offer.userId, sessionId }
  const expectedSteps: Record<string, object> = {
    'offer created': { requestId: expect.any(String), userId: offer.userId },
    'code exchanged for a token': { requestId: expect.any(String), ...whose },
    'credential requested': { requestId: expect.any(String), ...whose },
    'credential signed': whose,
    'wallet says: credential_accepted': whose,
    'webhook called: OpenIdCredentialIssuedSummary': { webhookId, webhookHost: new URL(receiver.url).host },
  }
  expect(sessionId).toEqual(expect.any(String))
  for (const [name, names] of Object.entries(expectedSteps))
    expect(steps.find(({ step }) => step === name)).toMatchObject(names)
  const events = (await service.operator.get('/v1/events?limit=1000')).body.data as { type: string; data: object }[]
  for (const type of [
    'OPENID_PRE_AUTHORIZED_OFFER_CREATE',
    'OPENID_TOKEN',
    'OPENID_CREDENTIAL',
    'OPENID_NOTIFICATION',
  ]) {
    const { data } = events.find((each) => each.type === `${type}_SUCCESS`) ?? {}
    expect(data).toMatchObject({ offerId: offer.id, userId: offer.userId })
  }
  const text = JSON.stringify(steps)
  for (const secret of [secretName, token.access_token, credential.credentials[0].credential]) {
    expect(text).not.toContain(secret)
  }
})

test('the steps are in the order in which they began', async () => {
  const offerId = randomUUID()
  const began = (type: string, startedMs: number, endedMs: number) => {
    const [startedAt, timestamp] = [startedMs, endedMs].map((ms) => new Date(1_795_340_000_000 + ms)) as [Date, Date]
    const ids = { id: randomUUID(), tenantId: service.id, requestId: randomUUID(), offerId }
    return { ...ids, type, category: 'OPENID_VCI', timestamp, startedAt, startData: {}, data: {} }
  }
  const rows = [
    began('OPENID_CREDENTIAL_SUCCESS', 20, 90),
    began('CLAIM_SOURCE_CALL_SUCCESS', 30, 60),
    began('OPENID_TOKEN_SUCCESS', 10, 15),
  ]
  await service.deps.db.tx((tx) => tx.insert(events).values(rows))
  const steps = await timelineOf(offerId)
  expect(steps.map(({ step, at }) => [step, Date.parse(at) - 1_795_340_000_000])).toEqual([
    ['code exchanged for a token', 10],
    ['credential requested', 20],
    ['claim source called', 30],
  ])
})

interface Refusal {
  extra?: Record<string, unknown>
  act(made: Awaited<ReturnType<typeof redeemable>>): Promise<unknown>
  step: string
  reason: string
}

const key = await newHolderKey()

const refusals: Record<string, Refusal> = {
  'a wrong tx_code': {
    extra: { transactionCodeConfiguration: { inputMode: 'numeric' } },
    act: ({ wallet }) => wallet.redeem({ tx_code: 'wrong' }),
    step: 'code exchanged for a token',
    reason: 'invalid_grant: The tx_code is wrong',
  },
  'a missing tx_code': {
    extra: { transactionCodeConfiguration: { inputMode: 'numeric' } },
    act: ({ wallet }) => wallet.redeem(),
    step: 'code exchanged for a token',
    reason: 'invalid_request: tx_code is missing',
  },
  'three wrong tx_codes': {
    extra: { transactionCodeConfiguration: { inputMode: 'numeric' } },
    async act({ wallet }) {
      for (let guess = 0; guess < 4; guess++) await wallet.redeem({ tx_code: 'wrong' })
    },
    step: 'code exchanged for a token',
    reason: 'invalid_grant: The offer ended with the third wrong tx_code',
  },
  'three wrong tx_codes after the code was used': {
    extra: { transactionCodeConfiguration: { inputMode: 'numeric' } },
    async act({ wallet, offer }) {
      await wallet.redeem({ tx_code: offer.transactionCode! })
      for (let guess = 0; guess < 4; guess++) await wallet.redeem({ tx_code: 'wrong' })
    },
    step: 'code exchanged for a token',
    reason: 'invalid_grant: The code was used before, and its tx_code was wrong three times afterwards',
  },
  'a second wallet': {
    async act({ wallet }) {
      await wallet.redeem()
      await wallet.redeem({ client_id: 'another' })
    },
    step: 'code exchanged for a token',
    reason: 'invalid_grant: The code was used seconds before. The access token issued for it stays valid',
  },
  'a proof for another issuer': {
    async act({ wallet }) {
      await wallet.redeem()
      const proof = await makeProof({ issuer: 'https://example.org', nonce: await wallet.nonce(), key })
      await wallet.requestCredential({ proofs: { jwt: [proof] } })
    },
    step: 'credential requested',
    reason: 'invalid_proof: The proof is not acceptable. Its aud is not this issuer',
  },
  'a nonce that was used': {
    async act({ wallet }) {
      await wallet.redeem()
      const nonce = await wallet.nonce()
      for (let time = 0; time < 2; time++) {
        const proof = await wallet.proof({ nonce, payload: { jti: String(time) } })
        await wallet.requestCredential({ proofs: { jwt: [proof] } })
      }
    },
    step: 'credential requested',
    reason: 'invalid_nonce: The c_nonce is wrong, expired or used',
  },
  'a claim that is missing': {
    extra: { claims: {} },
    act: ({ wallet }) => wallet.collect(),
    step: 'credential requested',
    reason: 'credential_request_denied: There is no value for the claim given_name',
  },
  'a configuration that was not offered': {
    async act({ wallet }) {
      await wallet.redeem()
      await wallet.requestCredential({ credential_configuration_id: 'another' })
    },
    step: 'credential requested',
    reason: 'unknown_credential_configuration: Not a configuration of this offer',
  },
}

describe('the timeline names the failed check for', () => {
  test.each(Object.keys(refusals))('%s', { tags: 'once' }, async (name) => {
    const refusal = refusals[name]
    if (!refusal) throw new Error('no such refusal')
    const made = await redeemable(refusal.extra)
    await refusal.act(made)
    await eventually(async () => {
      const steps = await timelineOf(made.offer.id)
      return steps.some(({ step, outcome, reason }) => {
        return step === refusal.step && outcome === 'failure' && reason === refusal.reason
      })
    })
  })

  test('a webhook that refuses the delivery', async () => {
    const { offer, wallet } = await redeemable()
    answerStatus = 500
    await wallet.collect()
    const steps = await timelineWith(offer.id, 'webhook called: OpenIdCredentialIssuedSummary', 'failure')
    answerStatus = 200
    expect(steps.find(({ outcome }) => outcome === 'failure')?.reason).toEqual(expect.stringContaining('500'))
  })
})

test('a credential that the wallet could not accept is a failure in the timeline and in events', async () => {
  const { offer, wallet } = await redeemable()
  const { body: token } = await wallet.redeem()
  const { body: credential } = await wallet.requestCredential()
  const { notification_id } = credential
  const bearer = createApi(service.origin, service.host, token.access_token)
  const said = { notification_id, event: 'credential_failure', event_description: 'No room' }
  expect(await bearer.post('/v1/openid/notification', said)).toMatchObject({ status: 204 })
  const steps = await timelineWith(offer.id, 'notification by the wallet', 'failure')
  expect(steps).toContainEqual(
    expect.objectContaining({ step: 'wallet says: credential_failure', outcome: 'failure', reason: 'No room' }),
  )
})

test('an unknown client or redirect URI is in the timeline of the offer', async () => {
  const { body: shared } = await service.operator.post('/v1/openid/offers', { credentials: [configurationId] })
  const { grants } = JSON.parse(new URL(shared.uri).searchParams.get('credential_offer') ?? '')
  const { issuer_state } = grants.authorization_code
  const wallet = newAuthorizationWallet(service, service.origin, configurationId)
  await wallet.browser.open(wallet.authorizeUrl({ issuer_state, redirect_uri: 'http://elsewhere.example/x' }))
  const steps = await timelineWith(issuer_state, 'authorization requested', 'failure')
  const reason = 'The client test-wallet with the redirect_uri http://elsewhere.example/x is not known here'
  expect(steps.find(({ outcome }) => outcome === 'failure')?.reason).toBe(`invalid_request: ${reason}`)

  const push = (changes: Record<string, string>) =>
    service.anonymous.post('/v1/oauth/par', wallet.authorizeUrl({ issuer_state, ...changes }).searchParams)
  expect(await push({})).toMatchObject({ status: 201 })
  expect(await push({ redirect_uri: 'http://elsewhere.example/x' })).toMatchObject({ status: 400 })
  await timelineWith(issuer_state, 'authorization request pushed')
  const pushed = await timelineWith(issuer_state, 'authorization request pushed', 'failure')
  expect(pushed.at(-1)).toMatchObject({ reason: expect.stringContaining(reason) })
})

test('a sign-in with a deleted shared offer is in its timeline', async () => {
  const { body: shared } = await service.operator.post('/v1/openid/offers', { credentials: [configurationId] })
  const { grants } = JSON.parse(new URL(shared.uri).searchParams.get('credential_offer') ?? '')
  const { issuer_state } = grants.authorization_code
  await service.operator.delete(`/v1/openid/offers/${issuer_state}`)
  const wallet = newAuthorizationWallet(service, service.origin, configurationId)
  await wallet.browser.open(wallet.authorizeUrl({ issuer_state, authorization_details: undefined }))
  const steps = await timelineWith(issuer_state, 'authorization requested', 'failure')
  expect(steps.find(({ outcome }) => outcome === 'failure')?.reason).toBe(
    'invalid_request: The issuer_state names no offer, or a deleted one. Get a new offer',
  )
})

test('a deleted offer has a timeline, and an offer of another tenant has none', async () => {
  const { offer } = await redeemable()
  await service.operator.delete(`/v1/openid/offers/pre-authorized/${offer.id}`)
  await timelineWith(offer.id, 'offer deleted')
  const tenant = await service.addTenant()
  expect(await tenant.operator.get(`/v1/openid/offers/${offer.id}/timeline`)).toMatchObject({ status: 404 })
})

test('an offer that never existed has no timeline, also after an attempt to delete it', async () => {
  const id = crypto.randomUUID()
  await service.operator.delete(`/v1/openid/offers/pre-authorized/${id}`)
  await eventually(async () => {
    const { body } = await service.operator.get('/v1/events?types=OPENID_PRE_AUTHORIZED_OFFER_DELETE_FAIL')
    return body.data?.length === 1
  })
  expect(await service.operator.get(`/v1/openid/offers/${id}/timeline`)).toMatchObject({ status: 404 })
})

test('the timeline of a shared offer has all steps of the people who sign in', async () => {
  const { body: shared } = await service.operator.post('/v1/openid/offers', { credentials: [configurationId] })
  const { grants } = JSON.parse(new URL(shared.uri).searchParams.get('credential_offer') ?? '')
  const { issuer_state } = grants.authorization_code
  const wallet = newAuthorizationWallet(service, service.origin, configurationId)
  await wallet.browser.open(wallet.authorizeUrl({ issuer_state, code_challenge_method: 'plain' }))
  await newAuthorizationWallet(service, service.origin, configurationId).authorize({ issuer_state }, '')
  const code = (await wallet.authorize({ issuer_state })).get('code') ?? ''
  const { body: token } = await wallet.redeem(code)
  const nonce = (await service.anonymous.post('/v1/openid/nonce')).body.c_nonce
  const jwt = [await makeProof({ issuer: service.baseUrl, nonce, key: await newHolderKey() })]
  const bearer = createApi(service.origin, service.host, token.access_token)
  const request = { credential_configuration_id: configurationId, proofs: { jwt } }
  expect(await bearer.post('/v1/openid/credential', request)).toMatchObject({ status: 200 })
  const steps = await timelineWith(issuer_state, 'credential requested')
  expect(steps).toMatchObject([
    { step: 'offer created', outcome: 'success' },
    { step: 'authorization requested', outcome: 'failure', reason: expect.stringContaining('S256') },
    { step: 'authorization requested', outcome: 'success' },
    { step: 'sign-in at the identity provider', outcome: 'failure', reason: expect.stringContaining('cancelled') },
    { step: 'authorization requested', outcome: 'success' },
    { step: 'sign-in at the identity provider', outcome: 'success' },
    { step: 'code exchanged for a token', outcome: 'success' },
    ...steps.slice(7),
  ])
  const { userId } = steps.find(({ step }) => step === 'credential signed') ?? {}
  expect(userId).toEqual(expect.any(String))
  // They stay when a person is erased (db/retention/timeline.ts), so they contain no ids of people.
  const { body: events } = await service.operator.get('/v1/events?limit=1000')
  const ofOffer = events.data.filter(({ data }: { data: { offerId?: string } }) => data.offerId === issuer_state)
  expect(ofOffer.length).toBeGreaterThan(3)
  expect(JSON.stringify(ofOffer)).not.toContain(userId)
  await eventually(async () =>
    receiver.deliveries.some(({ body }) => body.event.payload.credentialOfferId === issuer_state),
  )
})
