import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compactConfiguration, newOffer } from '../../../harness/factories.ts'
import { eventually, joinService, type SharedService } from '../../../harness/harness.ts'
import { startProvider, type TestProvider } from '../../../servers/provider.ts'
import { type Receiver, startReceiver } from '../../../servers/receiver.ts'
import { newAuthorizationWallet, registerWallet } from '../../../wallets/authorization-wallet.ts'
import { newWallet } from '../../../wallets/wallet.ts'

let service: SharedService
let provider: TestProvider
let receiver: Receiver
let configurationId: string
let view: { id: string; issuer: string }

beforeAll(async () => {
  service = await joinService()
  provider = await startProvider(service)
  receiver = await startReceiver()
  await registerWallet(service)
  configurationId = await compactConfiguration(service)
  const content = { name: 'iOS', path: 'ios', profile: 'standard', configurations: { ids: [configurationId] } }
  view = (await service.operator.post('/v1/views', content)).body
  const events = ['OpenIdCredentialIssued', 'OpenIdCredentialIssuedSummary']
  await service.operator.post('/v1/webhooks', { events, url: receiver.url })
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
})

/** Collects a credential of a new offer. */
async function collect(viewId?: string) {
  const offer = await newOffer(service, [configurationId], viewId === undefined ? {} : { view: viewId })
  const baseUrl = viewId === undefined ? service.baseUrl : view.issuer
  const wallet = await newWallet({ host: service.host, baseUrl }, service.origin, offer.uri)
  expect(await wallet.collect()).toMatchObject({ status: 200 })
  return offer
}

const eventsOf = (offerId: string) =>
  eventually(async () => {
    const { data } = (await service.operator.get('/v1/events?limit=1000&show=requests')).body
    const own = data.filter((each: { data: { offerId?: string } }) => each.data.offerId === offerId)
    return own.some(({ type }: { type: string }) => type === 'OPENID_CREDENTIAL_SUCCESS') && own
  })

const timelineOf = async (offerId: string) =>
  (await service.operator.get(`/v1/openid/offers/${offerId}/timeline`)).body.data

const payloadsOf = (offerId: string) =>
  eventually(async () => {
    const payloads = receiver.deliveries.map(({ body }) => body.event.payload)
    const own = payloads.filter(({ credentialOfferId }) => credentialOfferId === offerId)
    return own.length === 2 && own
  })

describe.each([
  { through: 'a view', isView: true },
  { through: 'the tenant itself', isView: false },
])('what a wallet collects through $through', ({ isView }) => {
  let offer: Awaited<ReturnType<typeof newOffer>>
  let viewId: string | undefined
  beforeAll(async () => {
    viewId = isView ? view.id : undefined
    offer = await collect(viewId)
  })

  test('has its view in the records of credentials', async () => {
    const { data } = (await service.operator.get(`/v1/users/${offer.userId}/credentials`)).body
    const issued = (await service.operator.get(`/v2/credentials/issued?configurationId=${configurationId}`)).body.data
    const listed = issued.find(({ id }: { id: string }) => id === data[0].id)
    const retrieved = (await service.operator.get(`/v2/credentials/issued/${data[0].id}`)).body
    expect([data[0], listed, retrieved].map((each) => each.view)).toEqual([viewId, viewId, viewId])
  })

  test('has its view in the events of its requests', async () => {
    const events = await eventsOf(offer.id)
    const types = ['OPENID_PRE_AUTHORIZED_OFFER_CREATE_SUCCESS', 'OPENID_TOKEN_SUCCESS', 'OPENID_CREDENTIAL_SUCCESS']
    for (const type of types) {
      const event = events.find((each: { type: string }) => each.type === type)
      expect({ type, view: event.data.view }).toEqual({ type, view: viewId })
    }
  })

  test('has its view in each step of its timeline', async () => {
    await eventsOf(offer.id)
    const steps = await timelineOf(offer.id)
    const names = ['offer created', 'code exchanged for a token', 'credential requested', 'credential signed']
    for (const name of names) {
      const step = steps.find((each: { step: string }) => each.step === name)
      expect({ name, view: step.view }).toEqual({ name, view: viewId })
    }
  })

  test('has its view in the webhooks', async () => {
    const payloads = await payloadsOf(offer.id)
    expect(payloads.map((payload: { view?: string }) => payload.view)).toEqual([viewId, viewId])
  })
})

test('a sign-in at the address of the tenant has the view of its offer', async () => {
  const offer = { credentials: [configurationId], view: view.id }
  const { uri } = (await service.operator.post('/v1/openid/offers', offer)).body
  const { issuer_state } = JSON.parse(new URL(uri).searchParams.get('credential_offer') ?? '').grants.authorization_code
  const wallet = newAuthorizationWallet(service, `${service.origin}/views/ios`, configurationId)
  expect((await wallet.authorize({ issuer_state })).get('iss')).toBe(view.issuer)
  const type = 'OPENID_AUTHENTICATION_PROVIDER_AUTHORIZE_SUCCESS'
  const event = await eventually(async () => {
    const { data } = (await service.operator.get(`/v1/events?limit=1000&show=requests&types=${type}`)).body
    return data.find(({ data }: { data: { view?: string } }) => data.view === view.id)
  })
  expect(event.data.offerId).toBe(issuer_state.split('.')[0])
})
