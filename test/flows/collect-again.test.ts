import { and, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { credentials } from '../../db/tables/issuance/credentials.ts'
import { issuances } from '../../db/tables/issuance/issuances.ts'
import { sessions } from '../../db/tables/issuance/sessions.ts'
import { statusEntries } from '../../db/tables/status/entries.ts'
import { createApi } from '../harness/api-client.ts'
import { compactConfiguration, newOffer, webConfiguration } from '../harness/factories.ts'
import { eventually, type Service, startService } from '../harness/harness.ts'
import { startProvider, type TestProvider } from '../servers/provider.ts'
import { type Receiver, startReceiver } from '../servers/receiver.ts'
import { clientId, newAuthorizationWallet } from '../wallets/authorization-wallet.ts'
import { dpopProof, newDpopKey } from '../wallets/dpop.ts'
import { type HolderKeyPair, makeProof, newHolderKey, newWallet } from '../wallets/wallet.ts'

let service: Service
let provider: TestProvider
let receiver: Receiver
let configurationIds: string[]

beforeAll(async () => {
  service = await startService()
  provider = await startProvider(service)
  receiver = await startReceiver()
  configurationIds = [await compactConfiguration(service, { revocable: true }), await webConfiguration(service)]
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await receiver?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

const set = (settings: Record<string, unknown>) =>
  service.platform.put(`/v1/tenants/${service.id}`, { publicClients: true, ...settings })
beforeEach(() => set({ maxCredentialsPerSession: 20, deferredIssuance: 'never', profile: 'standard' }))
afterEach(() => service.workers.start())

const denied = {
  status: 400,
  body: {
    error: 'credential_request_denied',
    error_description: expect.stringContaining('maximum number of credentials'),
  },
}

/** A wallet with a token of the authorization code flow for both configurations. */
async function authorized() {
  const wallet = newAuthorizationWallet(service, service.origin, '')
  const details = configurationIds.map((id) => ({ type: 'openid_credential', credential_configuration_id: id }))
  const code = (await wallet.authorize({ authorization_details: JSON.stringify(details) })).get('code') ?? ''
  const { body: token } = await wallet.redeem(code)
  const [sessionId = ''] = token.access_token.split('.')
  return { sessionId, ...collector(token.access_token) }
}

function collector(token: string) {
  const api = createApi(service.origin, service.host, token)
  /** A request for a credential for each of the keys. */
  async function request(keys: HolderKeyPair[], configurationId = configurationIds[0]) {
    const nonce = (await service.anonymous.post('/v1/openid/nonce')).body.c_nonce
    const jwt = await Promise.all(keys.map((key) => makeProof({ issuer: service.baseUrl, nonce, key })))
    return { credential_configuration_id: configurationId, proofs: { jwt } }
  }
  const send = (body: unknown) => api.post('/v1/openid/credential', body)
  const collect = async (keys: HolderKeyPair[], configurationId?: string) => send(await request(keys, configurationId))
  return { api, request, send, collect }
}

const newKeys = (count: number) => Promise.all(Array.from({ length: count }, () => newHolderKey()))
const recordsOf = (sessionId: string) =>
  service.deps.db.read.select().from(credentials).where(eq(credentials.sessionId, sessionId))

test('a session with an authorization collects a configuration again, for the same and other keys, as separate credentials', async () => {
  const hook = { events: ['OpenIdCredentialIssuedSummary'], url: receiver.url }
  const webhook = await service.operator.post('/v1/webhooks', hook)
  expect(webhook).toMatchObject({ status: 201 })
  const { sessionId, collect } = await authorized()
  const [key, other] = (await newKeys(2)) as [HolderKeyPair, HolderKeyPair]
  const answers = [await collect([key]), await collect([key]), await collect([other]), await collect([key, other])]
  expect(answers.map(({ status, body }) => [status, body.credentials?.length])).toEqual([
    [200, 1],
    [200, 1],
    [200, 1],
    [200, 2],
  ])
  expect(new Set(answers.map(({ body }) => body.notification_id)).size).toBe(4)

  const records = await recordsOf(sessionId)
  expect(new Set(records.map(({ issuanceId }) => issuanceId)).size).toBe(4)
  expect(records).toHaveLength(5)
  const listed = await service.operator.get(`/v1/users/${records[0]?.userId}/credentials`)
  const ids = records.map(({ id }) => id).sort()
  expect(
    listed.body.data
      .map(({ id }: { id: string }) => id)
      .filter((id: string) => ids.includes(id))
      .sort(),
  ).toEqual(ids)
  const places = await Promise.all(
    ids.map((id) => service.deps.db.read.select().from(statusEntries).where(eq(statusEntries.credentialId, id))),
  )
  expect(new Set(places.map(([place]) => `${place?.listId} ${place?.position}`)).size).toBe(5)
  const sessionDeliveries = () => receiver.deliveries.filter(({ body }) => body.event.payload.sessionId === sessionId)
  await eventually(async () => sessionDeliveries().length >= 5)
  expect(new Set(sessionDeliveries().map(({ body }) => body.event.payload.credentialId))).toEqual(new Set(ids))
  await service.operator.delete(`/v1/webhooks/${webhook.body.id}`)
})

describe('an identical request', () => {
  test('gets the same response, also concurrently, and issues once', async () => {
    const { sessionId, request, send } = await authorized()
    const body = await request(await newKeys(2))
    const answers = await Promise.all(Array.from({ length: 6 }, () => send(body)))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(await send(body)).toMatchObject({ status: 200, body: answers[0]?.body })
    expect(await recordsOf(sessionId)).toHaveLength(2)
    expect(await service.deps.db.read.$count(issuances, eq(issuances.sessionId, sessionId))).toBe(1)
  })

  test('gets the same response if no credential is left, and for a claimed offer', async () => {
    await set({ maxCredentialsPerSession: 1 })
    const { request, send, collect } = await authorized()
    const body = await request(await newKeys(1))
    const first = await send(body)
    expect(await collect(await newKeys(1))).toMatchObject(denied)
    expect(await send(body)).toMatchObject({ status: 200, body: first.body })

    const offer = await newOffer(service, configurationIds)
    const wallet = await newWallet(service, service.origin, offer.uri)
    await wallet.redeem()
    const proofs = { jwt: [await wallet.proof()] }
    const claimed = await wallet.requestCredential({ proofs })
    expect(claimed).toMatchObject({ status: 200 })
    expect(await wallet.requestCredential({ proofs })).toMatchObject({ status: 200, body: claimed.body })
  })

  test('but a request that takes only its nonce from there does not', async () => {
    const { request, send, sessionId } = await authorized()
    const { send: sendElsewhere } = await authorized()
    const keys = await newKeys(1)
    const body = await request(keys)
    expect(await send(body)).toMatchObject({ status: 200 })
    const invalid = { status: 400, body: { error: 'invalid_nonce' } }
    expect(await sendElsewhere(body)).toMatchObject(invalid)
    expect(await send({ ...body, credential_configuration_id: configurationIds[1] })).toMatchObject(invalid)
    const [, payload = ''] = body.proofs.jwt[0]?.split('.') ?? []
    const { nonce } = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const another = await makeProof({ issuer: service.baseUrl, nonce, key: keys[0]!, payload: { jti: 'another' } })
    expect(await send({ ...body, proofs: { jwt: [another] } })).toMatchObject(invalid)
    expect(await recordsOf(sessionId)).toHaveLength(1)
  })

  test('is refused with invalid_nonce after the issuance was cancelled', async () => {
    const { request, send, collect } = await authorized()
    const keys = await newKeys(1)
    const body = await request(keys)
    await service.workers.stop()
    expect(await service.withSigningWait(100, () => send(body))).toMatchObject({ status: 503 })
    await service.workers.start()
    expect(await send(body)).toMatchObject({ status: 400, body: { error: 'invalid_nonce' } })
    expect(await collect(keys)).toMatchObject({ status: 200 })
  })

  test('gets the same transaction_id if the credential was deferred, and counts once', async () => {
    await set({ maxCredentialsPerSession: 1, deferredIssuance: 'whenSlow' })
    const { api, request, send, collect, sessionId } = await authorized()
    const body = await request(await newKeys(1))
    await service.workers.stop()
    const first = await service.withSigningWait(100, () => send(body))
    expect(first).toMatchObject({ status: 202, body: { transaction_id: expect.any(String) } })
    // Without a signing process the web process looks for the earlier request itself, at once.
    await eventually(async () => !service.deps.keys.hasSigner())
    expect(await send(body)).toMatchObject({ status: 202, body: first.body })
    await service.workers.start()
    const { transaction_id } = first.body
    const ask = () => api.post('/v1/openid/deferred-credential', { transaction_id })
    const collected = await eventually(async () => {
      const answer = await ask()
      return answer.status !== 202 && answer
    })
    expect(collected).toMatchObject({ status: 200 })
    expect(await recordsOf(sessionId)).toHaveLength(1)
    expect(await collect(await newKeys(1))).toMatchObject(denied)
  })

  test('without a nonce gets the same response at a lenient tenant too', async () => {
    await set({ profile: 'lenient' })
    const { sessionId, send } = await authorized()
    const key = await newHolderKey()
    const jwt = [await makeProof({ issuer: service.baseUrl, key })]
    const body = { credential_configuration_id: configurationIds[0], proofs: { jwt } }
    const first = await send(body)
    expect(first).toMatchObject({ status: 200 })
    const { credentials: again } = (await send(body)).body
    expect(again).toEqual(first.body.credentials)
    expect(await recordsOf(sessionId)).toHaveLength(1)
  })
})

describe('no session collects more credentials than its tenant allows', () => {
  test('in one request or several: the remaining number and uncollected configurations stay available', async () => {
    await set({ maxCredentialsPerSession: 3 })
    const { sessionId, collect } = await authorized()
    expect(await collect(await newKeys(4))).toMatchObject({
      status: 400,
      body: { error: 'invalid_proof', error_description: expect.stringContaining('3') },
    })
    expect(await collect(await newKeys(2))).toMatchObject({ status: 200 })
    expect(await collect(await newKeys(2))).toMatchObject(denied)
    expect(await collect(await newKeys(1))).toMatchObject({ status: 200 })
    expect(await collect(await newKeys(1))).toMatchObject(denied)
    expect(await collect(await newKeys(1), configurationIds[1])).toMatchObject({ status: 200 })
    expect(await collect(await newKeys(1), configurationIds[1])).toMatchObject(denied)
    expect(await recordsOf(sessionId)).toHaveLength(4)
    const { body: metadata } = await service.anonymous.get('/.well-known/openid-credential-issuer')
    expect(metadata.batch_credential_issuance).toEqual({ batch_size: 3 })
  })

  test('in concurrent requests', async () => {
    await set({ maxCredentialsPerSession: 5 })
    const { sessionId, request, send } = await authorized()
    const bodies = await Promise.all(Array.from({ length: 12 }, async () => request(await newKeys(1))))
    const answers = await Promise.all(bodies.map(send))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5)
    for (const answer of answers.filter(({ status }) => status !== 200)) expect(answer).toMatchObject(denied)
    expect(await recordsOf(sessionId)).toHaveLength(5)
    const refused = and(eq(issuances.sessionId, sessionId), eq(issuances.state, 'issued'))
    expect(await service.deps.db.read.$count(issuances, refused)).toBe(5)
  })

  test('and another token, as by a refresh token, has the full number again', async () => {
    await set({ maxCredentialsPerSession: 1 })
    const key = await newDpopKey()
    const url = `${service.baseUrl}/v1/openid/credential`
    const proof = (accessToken?: string) =>
      dpopProof(
        accessToken === undefined ? { key, url: `${service.baseUrl}/v1/oauth/token` } : { key, url, accessToken },
      )
    const wallet = newAuthorizationWallet(service, service.origin, configurationIds[0] ?? '')
    const code = (await wallet.authorize()).get('code') ?? ''
    const { body: first } = await wallet.redeem(code, {}, { dpop: await proof() })
    const collectWith = async (accessToken: string) => {
      const headers = { authorization: `DPoP ${accessToken}`, dpop: await proof(accessToken) }
      const body = await collector('').request(await newKeys(1))
      return service.anonymous.post('/v1/openid/credential', body, headers)
    }
    expect(await collectWith(first.access_token)).toMatchObject({ status: 200 })
    expect(await collectWith(first.access_token)).toMatchObject(denied)
    const form = new URLSearchParams({
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: first.refresh_token,
    })
    const { body: second } = await service.anonymous.post('/v1/oauth/token', form, { dpop: await proof() })
    expect(await collectWith(second.access_token)).toMatchObject({ status: 200 })
    expect(await collectWith(second.access_token)).toMatchObject(denied)
  })

  test('a session from before the limit existed has the limit of new tenants', async () => {
    const { sessionId, collect } = await authorized()
    const { db } = service.deps
    await db.tx((tx) => tx.update(sessions).set({ credentialsLeft: null }).where(eq(sessions.id, sessionId)))
    expect(await collect(await newKeys(19))).toMatchObject({ status: 200 })
    expect(await collect(await newKeys(2))).toMatchObject(denied)
    expect(await collect(await newKeys(1))).toMatchObject({ status: 200 })
    expect(await collect(await newKeys(1))).toMatchObject(denied)
  })

  test('an invalid limit is refused by name', async () => {
    for (const maxCredentialsPerSession of [0, -1, 1.5, 1001, '3']) {
      expect(await set({ maxCredentialsPerSession })).toMatchObject({
        status: 400,
        body: { details: [{ param: 'maxCredentialsPerSession', location: 'body' }] },
      })
    }
    expect(await set({ maxCredentialsPerSession: 1000 })).toMatchObject({
      status: 200,
      body: { maxCredentialsPerSession: 1000 },
    })
  })
})
