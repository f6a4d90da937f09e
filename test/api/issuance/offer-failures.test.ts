import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordOfferFailure } from '../../../db/repos/issuance/offers/offer-failures.ts'
import { offerFailures } from '../../../db/tables/issuance/offer-failures.ts'
import { offers } from '../../../db/tables/issuance/offers.ts'
import { newId } from '../../../shared/ids.ts'
import { createApi } from '../../harness/api-client.ts'
import { newClaimLink } from '../../harness/claim-links.ts'
import { compactConfiguration, newOffer } from '../../harness/factories.ts'
import { eventually, type Service, startService } from '../../harness/harness.ts'
import { pagesOf } from '../../harness/pages.ts'
import { newWallet } from '../../wallets/wallet.ts'

let service: Service
let plainId: string
let strictId: string
beforeAll(async () => {
  service = await startService()
  await service.platform.put(`/v1/tenants/${service.id}`, { publicClients: true })
  plainId = await compactConfiguration(service)
  const claimMappings = { family_name: { mapFrom: 'claims.family_name', required: true } }
  strictId = await compactConfiguration(service, { type: 'Strict', claimMappings })
})
afterAll(() => service?.[Symbol.asyncDispose]())

async function offerOf(configurationIds: string[], extra: Record<string, unknown> = {}) {
  const offer = await newOffer(service, configurationIds, extra)
  return { id: offer.id, offer, wallet: await newWallet(service, service.origin, offer.uri) }
}

const detailsOf = async (id: string) => (await service.operator.get(`/v1/openid/offers/${id}/details`)).body
/** Failures are stored with the events of their requests, which pass a queue. */
const failureOf = (id: string, reason: RegExp) =>
  eventually(async () => {
    const { state, failure } = await detailsOf(id)
    return reason.test(failure?.reason) && { state, ...failure }
  })
const failedIds = async (query = '') => {
  const pages = await pagesOf<{ id: string }>(service.operator, `/v1/openid/offers?failed=true${query}`)
  return pages.flat().map(({ id }) => id)
}
const countOf = async () => (await service.operator.get('/v1/overview/counts')).body.failedOffers.count

test('an offer whose required claim is missing has a failure, which the filter and the overview find', async () => {
  const before = await countOf()
  const { id, wallet, offer } = await offerOf([strictId], { claims: { given_name: 'Augusta-Ada-Byron' } })
  await wallet.redeem()
  expect(await wallet.requestCredential()).toMatchObject({ status: 400 })
  const failure = await failureOf(id, /family_name/)
  expect(failure).toEqual({
    ...{ state: 'spent', check: 'claims', at: expect.any(String), requestId: expect.any(String) },
    reason: expect.stringMatching(/^credential_request_denied: .*family_name/),
  })
  const { body: timeline } = await service.operator.get(`/v1/openid/offers/${id}/timeline`)
  const step = timeline.data.find((each: { outcome: string }) => each.outcome === 'failure')
  expect(step).toMatchObject({ requestId: failure.requestId, reason: failure.reason })
  expect(await failedIds()).toContain(id)
  expect(await failedIds('&order=newest&limit=1')).toContain(id)
  expect(await failedIds('&state=spent')).toContain(id)
  expect(await failedIds('&state=usable')).not.toContain(id)
  expect(await failedIds(`&configurationId=${strictId}`)).toContain(id)
  expect(await failedIds(`&configurationId=${plainId}`)).not.toContain(id)
  const of = `&userId=${offer.userId}`
  const { id: otherId } = await offerOf([plainId], { userId: offer.userId })
  expect(await failedIds(of)).toEqual([id])
  expect(await failedIds(`${of}&state=spent&order=newest`)).toEqual([id])
  expect(await failedIds(`${of}&state=usable`)).toEqual([])
  expect(await failedIds(`&userId=${newId()}`)).toEqual([])
  expect(await failedIds()).not.toContain(otherId)
  expect(await countOf()).toBe(before + 1)
  expect(JSON.stringify(await detailsOf(id))).not.toContain('Augusta')
})

test('an offer has no failure after a later request succeeded', async () => {
  const { id, wallet, offer } = await offerOf([plainId], { transactionCodeConfiguration: { inputMode: 'numeric' } })
  await wallet.redeem({ tx_code: '000000x' })
  expect(await failureOf(id, /tx_code is wrong/)).toMatchObject({ state: 'usable', check: 'transaction_code' })
  await wallet.redeem({ tx_code: offer.transactionCode! })
  expect(await detailsOf(id)).not.toHaveProperty('failure')
  const before = await countOf()
  await wallet.requestCredential({ proofs: undefined })
  expect(await failureOf(id, /invalid_proof/)).toMatchObject({ state: 'spent', check: 'proof_form' })
  expect(await countOf()).toBe(before + 1)
  expect(await wallet.requestCredential()).toMatchObject({ status: 200 })
  const { state, failure } = await detailsOf(id)
  expect({ state, failure }).toEqual({ state: 'claimed', failure: undefined })
  expect(await failedIds()).not.toContain(id)
  expect(await countOf()).toBe(before)
})

test('three wrong transaction codes end an offer with a failure', async () => {
  const { id, wallet } = await offerOf([plainId], { transactionCodeConfiguration: { inputMode: 'numeric' } })
  for (let guess = 0; guess < 3; guess++) await wallet.redeem({ tx_code: 'wrong' })
  expect(await failureOf(id, /wrong/)).toMatchObject({ state: 'ended', check: 'transaction_code' })
})

test('a credential that the wallet rejects is a failure of its collected offer', async () => {
  const { id, wallet } = await offerOf([plainId])
  const { body: token } = await wallet.redeem()
  const { body } = await wallet.requestCredential()
  const notification = { notification_id: body.notification_id, event: 'credential_failure' }
  await createApi(service.origin, service.host, token.access_token).post('/v1/openid/notification', notification)
  expect(await failureOf(id, /failed_at_wallet|credential_failure/)).toMatchObject({
    state: 'claimed',
    check: 'taken_by_wallet',
  })
})

test('a successful issuance stores no failure, also if its code is used again later', async () => {
  const { id, wallet } = await offerOf([plainId])
  await wallet.redeem()
  expect(await wallet.requestCredential()).toMatchObject({ status: 200 })
  await wallet.redeem()
  await eventually(async () => {
    const { body } = await service.operator.get(`/v1/openid/offers/${id}/timeline`)
    return body.data.some((each: { outcome: string }) => each.outcome === 'failure')
  })
  const rows = await service.deps.db.read.select().from(offerFailures).where(eq(offerFailures.id, id))
  expect(rows).toEqual([])
})

test('an offer of a claim link with a sign-in has its last failure, also after the sign-in', async () => {
  const { db, clock } = service.deps
  const { address } = await newClaimLink(service, service, [plainId], { signIn: {} })
  expect(await service.anonymous.post(new URL(address).pathname)).toMatchObject({ status: 303 })
  const [opened] = await db.read.select().from(offers).where(eq(offers.needsSignIn, true))
  const id = opened?.id ?? ''
  const fail = (reason: string, secondsAgo: number) => {
    const failedAt = new Date(clock.now().getTime() - secondsAgo * 1_000)
    const failure = { requestId: newId(), check: 'code_expiry' as const, reason, failedAt }
    return db.tx((tx) => recordOfferFailure(tx, service.id, id, failure, ['usable', 'spent'], clock.now()))
  }
  await fail('first', 20)
  expect(await detailsOf(id)).toMatchObject({ kind: 'authorization-code', failure: { reason: 'first' } })
  const { body: user } = await service.operator.post('/v1/users', { claims: {} })
  await db.tx((tx) => tx.update(offers).set({ state: 'spent', userId: user.id }).where(eq(offers.id, id)))
  await fail('last', 10)
  await fail('late', 15)
  expect(await detailsOf(id)).toMatchObject({ state: 'spent', failure: { reason: 'last' } })
  const [row] = await db.read.select().from(offerFailures).where(eq(offerFailures.id, id))
  expect(row).toMatchObject({ userId: user.id, reason: 'last' })
})
