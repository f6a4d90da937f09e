import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TimelineStep } from '../../api/issuance/offers/timeline.ts'
import { recoverIssuances } from '../../workers/upkeep/recover-issuances.ts'
import { createApi } from '../harness/api-client.ts'
import { bothChallenges } from '../harness/challenges.ts'
import { compactConfiguration, newOffer, sdJwtConfiguration, webConfiguration } from '../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../harness/harness.ts'
import { newWallet, type Wallet } from '../wallets/wallet.ts'

let service: Service
let tenant: TestTenant
let configurationIds: string[]

beforeAll(async () => {
  service = await startService()
  tenant = await service.addTenant({ deferredIssuance: 'whenSlow' })
  configurationIds = [await compactConfiguration(tenant), await webConfiguration(tenant)]
})
afterEach(() => service.workers.start())
afterAll(() => service?.[Symbol.asyncDispose]())

/** By the service's clock, which tests move. */
async function request(wallet: Wallet, configurationId?: string) {
  const iat = Math.floor(service.clock.now().getTime() / 1000)
  const proof = await wallet.proof({ payload: { iat } })
  const named = configurationId === undefined ? {} : { credential_configuration_id: configurationId }
  return wallet.requestCredential({ ...named, proofs: { jwt: [proof] } })
}

/** A wallet with a deferred credential, because no signing process runs. */
async function deferred(configurations = configurationIds) {
  const offer = await newOffer(tenant, configurations)
  const wallet = await newWallet(tenant, service.origin, offer.uri)
  const { body: token } = await wallet.redeem()
  await service.workers.stop()
  const answer = await service.withSigningWait(100, () => request(wallet))
  const bearer = createApi(service.origin, tenant.host, token.access_token)
  const ask = (transaction_id = answer.body.transaction_id) =>
    bearer.post('/v1/openid/deferred-credential', { transaction_id })
  return { answer, ask, wallet, offer, bearer }
}

async function collected(ask: () => ReturnType<Awaited<ReturnType<typeof deferred>>['ask']>) {
  return eventually(async () => {
    const answer = await ask()
    return answer.status !== 202 && answer
  })
}

test('a wallet collects a credential later, once, if it is not signed in time', async () => {
  const { answer, ask } = await deferred()
  expect(answer).toMatchObject({
    status: 202,
    body: { transaction_id: expect.any(String), interval: expect.any(Number) },
  })
  expect(answer.body).not.toHaveProperty('credentials')
  expect(await ask()).toMatchObject({ status: 202, body: answer.body })
  await service.workers.start()
  expect(await collected(ask)).toMatchObject({
    status: 200,
    body: { credentials: [{ credential: expect.any(String) }] },
  })
  await eventually(async () => (await ask()).status === 400)
  expect(await ask()).toMatchObject({ status: 400, body: { error: 'invalid_transaction_id' } })
})

test('a deferred credential survives the expiry of the token and a lost job', async () => {
  const { ask } = await deferred()
  service.clock.advance(10 * 60_000)
  expect(await ask()).toMatchObject({ status: 202 })
  await service.deps.bus.queue('signing').obliterate({ force: true })
  await recoverIssuances(service.deps)
  await service.workers.start()
  expect(await collected(ask)).toMatchObject({ status: 200 })
})

test('a credential that is not signed within an hour is refused', async () => {
  const { ask } = await deferred()
  service.clock.advance(59 * 60_000)
  expect(await ask()).toMatchObject({ status: 202 })
  service.clock.advance(2 * 60_000)
  await recoverIssuances(service.deps)
  service.clock.advance(-2 * 60_000)
  expect(await ask()).toMatchObject({ status: 400, body: { error: 'credential_request_denied' } })
})

describe('the timeline of a refused deferred credential has one failed step, with the check', () => {
  const failedSteps = async (id: string) => {
    const { body } = await tenant.operator.get(`/v1/openid/offers/${id}/timeline`)
    const steps: TimelineStep[] = body.data
    return steps
      .filter(({ outcome }) => outcome === 'failure')
      .map(({ step, reason, refusedBy }) => ({ step, reason, check: refusedBy?.check }))
  }

  const claimMappings = { given_name: { mapFrom: 'claims.given_name' } }

  test('before and after the wallet asks for a credential that no certificate can sign', async () => {
    const { offer, ask } = await deferred([await sdJwtConfiguration(tenant, { claimMappings })])
    await service.workers.start()
    const reason = expect.stringContaining('There is no active IACA')
    const step = 'credential signed'
    const before = await eventually(async () => {
      const steps = await failedSteps(offer.id)
      return steps.length > 0 && steps
    })
    expect(before).toEqual([{ step, reason, check: 'signer' }])
    expect(await collected(ask)).toMatchObject({ status: 400, body: { error: 'credential_request_denied' } })
    const request = 'deferred credential requested'
    const after = await eventually(async () => {
      const steps = await failedSteps(offer.id)
      return steps.some((each) => each.step === request) && steps
    })
    expect(after).toEqual([{ step: request, reason, check: 'signer' }])
  })

  test('of a credential that was not signed in time', async () => {
    const { offer } = await deferred()
    service.clock.advance(61 * 60_000)
    await recoverIssuances(service.deps)
    service.clock.advance(-61 * 60_000)
    const reason = 'The credential was not signed within an hour'
    expect(await failedSteps(offer.id)).toEqual([{ step: 'credential signed', reason, check: 'signed_in_time' }])
  })
})

test('a deferred credential does not block other credentials of the offer', async () => {
  const { ask, wallet } = await deferred()
  await service.workers.start()
  const second = await request(wallet, configurationIds[1])
  expect([200, 202]).toContain(second.status)
  expect(await collected(ask)).toMatchObject({ status: 200 })
})

describe('no deferred credential is returned to', () => {
  let mine: Awaited<ReturnType<typeof deferred>>
  beforeAll(async () => {
    mine = await deferred()
    await service.workers.start()
  })

  test('a request with an invented transaction_id', async () => {
    const { ask, answer } = mine
    const [id] = answer.body.transaction_id.split('.')
    for (const wrong of ['nothing', `${id}.nothing`, `${answer.body.transaction_id}x`]) {
      expect(await ask(wrong)).toMatchObject({ status: 400, body: { error: 'invalid_transaction_id' } })
    }
  })

  test('another session of the same tenant', async () => {
    const offer = await newOffer(tenant, configurationIds)
    const wallet = await newWallet(tenant, service.origin, offer.uri)
    const { body: token } = await wallet.redeem()
    const theirs = createApi(service.origin, tenant.host, token.access_token)
    const { transaction_id } = mine.answer.body
    expect(await theirs.post('/v1/openid/deferred-credential', { transaction_id })).toMatchObject({
      status: 400,
      body: { error: 'invalid_transaction_id' },
    })
  })

  test('a request without transaction_id', async () => {
    expect(await mine.bearer.post('/v1/openid/deferred-credential', {})).toMatchObject({
      status: 400,
      body: { error: 'invalid_credential_request' },
    })
  })

  test('a wallet without a token', async () => {
    const path = '/v1/openid/deferred-credential'
    const response = await tenant.anonymous.post(path, mine.answer.body)
    const challenge = bothChallenges(tenant, false, path)
    expect(response).toMatchObject({ status: 401, headers: { 'www-authenticate': challenge } })
  })
})

test('without deferral at the tenant, the wallet gets 503, and the metadata has no deferred endpoint', async () => {
  const offer = await newOffer(service, [await compactConfiguration(service)])
  const wallet = await newWallet(service, service.origin, offer.uri)
  await wallet.redeem()
  await service.workers.stop()
  expect(await service.withSigningWait(100, () => request(wallet))).toMatchObject({ status: 503 })
  const { body: own } = await service.anonymous.get('/.well-known/openid-credential-issuer')
  const { body: deferring } = await tenant.anonymous.get('/.well-known/openid-credential-issuer')
  expect(own).not.toHaveProperty('deferred_credential_endpoint')
  expect(deferring.deferred_credential_endpoint).toBe(`${tenant.baseUrl}/v1/openid/deferred-credential`)
})
