import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { insertOffer, type OfferRow } from '../../../db/repos/issuance/offers/offers.ts'
import { offers } from '../../../db/tables/issuance/offers.ts'
import { plusMs } from '../../../shared/clock.ts'
import { createApi } from '../../harness/api-client.ts'
import { compactConfiguration, newOffer, webConfiguration } from '../../harness/factories.ts'
import { eventually, type Service, startService, type TestTenant } from '../../harness/harness.ts'
import { pagesOf } from '../../harness/pages.ts'
import { startProvider, type TestProvider } from '../../servers/provider.ts'
import { newAuthorizationWallet } from '../../wallets/authorization-wallet.ts'
import { makeProof, newHolderKey, newWallet, readOffer } from '../../wallets/wallet.ts'

let service: Service
let provider: TestProvider
let movedMs = 0
beforeAll(async () => {
  service = await startService()
  provider = await startProvider(service)
  await service.platform.put(`/v1/tenants/${service.id}`, { publicClients: true })
})
afterEach(() => {
  service.clock.advance(-movedMs)
  movedMs = 0
})
afterAll(async () => {
  await provider?.[Symbol.asyncDispose]()
  await service?.[Symbol.asyncDispose]()
})

function advance(ms: number): void {
  movedMs += ms
  service.clock.advance(ms)
}

const path = '/v1/openid/offers'

/** Creates a shared offer. Returns its id. */
async function newShared(tenant: TestTenant, credentials: string[]): Promise<string> {
  const { status, body } = await tenant.operator.post(path, { credentials })
  expect(status).toBe(200)
  const { grants } = await readOffer(body.uri, tenant.anonymous)
  return grants.authorization_code.issuer_state
}

interface Listed {
  id: string
  state: string
}

async function list(tenant: TestTenant, query = ''): Promise<Listed[]> {
  return (await pagesOf<Listed>(tenant.operator, `${path}?${query}`)).flat()
}
const idsOf = (listed: Listed[]) => listed.map(({ id }) => id)

async function setState(id: string, state: OfferRow['state']): Promise<void> {
  await service.deps.db.tx((tx) => tx.update(offers).set({ state }).where(eq(offers.id, id)))
}

describe('the list of offers', () => {
  let tenant: TestTenant
  let configurationIds: string[]
  let made: string[]
  beforeAll(async () => {
    tenant = await service.addTenant()
    configurationIds = [await compactConfiguration(tenant), await webConfiguration(tenant)]
    const [compact = '', web = ''] = configurationIds
    made = []
    for (let turn = 0; turn < 3; turn++) {
      made.push(await newShared(tenant, turn === 1 ? [web] : [compact, web]))
      // The order of two offers of the same millisecond is undefined.
      service.clock.advance(1)
      made.push((await newOffer(tenant, turn === 1 ? [compact] : [web])).id)
      service.clock.advance(1)
    }
    await setState(made[3] ?? '', 'claimed')
  })

  test('has the offers of both kinds, oldest first, with all members', async () => {
    const { body } = await tenant.operator.get(path)
    expect(body).not.toHaveProperty('nextCursor')
    expect(idsOf(body.data)).toEqual(made)
    expect(body.data[0]).toEqual({
      ...{ id: made[0], kind: 'authorization-code', state: 'usable', credentials: configurationIds },
      page: expect.stringMatching(/\/o\/[\w-]{44}$/),
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect(body.data[1]).toEqual({
      ...{ id: made[1], kind: 'pre-authorized', state: 'usable', credentials: [configurationIds[1]] },
      ...{ userId: expect.any(String), createdAt: expect.any(String), expiresAt: expect.any(Number) },
      page: expect.stringMatching(/\/o\/[\w-]{44}$/),
    })
    const { expiresAt, createdAt } = body.data[1]
    expect(expiresAt - Date.parse(createdAt)).toBe(5 * 60_000)
  })

  test.each([1, 2, 4, 5, 6, 1000])('has pages of %i offers', async (limit) => {
    expect(idsOf(await list(tenant, `limit=${limit}`))).toEqual(made)
    expect(idsOf(await list(tenant, `limit=${limit}&state=usable`))).toEqual(made.filter((_, at) => at !== 3))
    const newest = made.toReversed()
    expect(idsOf(await list(tenant, `order=newest&limit=${limit}`))).toEqual(newest)
    const usable = newest.filter((id) => id !== made[3])
    expect(idsOf(await list(tenant, `order=newest&limit=${limit}&state=usable`))).toEqual(usable)
  })

  test('can be filtered by state, by configuration, or by both', async () => {
    const [compact, web] = configurationIds
    const only = (...places: number[]) => places.map((place) => made[place])
    expect(idsOf(await list(tenant, 'state=claimed'))).toEqual(only(3))
    expect(idsOf(await list(tenant, 'state=spent'))).toEqual([])
    expect(idsOf(await list(tenant, `configurationId=${compact}`))).toEqual(only(0, 3, 4))
    expect(idsOf(await list(tenant, `configurationId=${web}&limit=2`))).toEqual(only(0, 1, 2, 4, 5))
    expect(idsOf(await list(tenant, `configurationId=${compact}&state=usable`))).toEqual(only(0, 4))
    expect(idsOf(await list(tenant, `configurationId=${web}&limit=2&order=newest`))).toEqual(only(5, 4, 2, 1, 0))
    expect(idsOf(await list(tenant, `configurationId=${randomUUID()}`))).toEqual([])
    advance(6 * 60_000)
    expect(idsOf(await list(tenant, 'state=usable'))).toEqual(only(0, 2, 4))
    expect(await list(tenant, 'state=expired')).toMatchObject(only(1, 5).map((id) => ({ id, state: 'expired' })))
    advance(5 * 60_000)
    expect(idsOf(await list(tenant, 'state=usable'))).toEqual(only(0, 2, 4))
    expect((await list(tenant)).map(({ state }) => state)).toEqual([
      ...['usable', 'expired', 'usable', 'claimed', 'usable', 'expired'],
    ])
  })

  test('can be filtered by user: the offers of a user in pages, and no shared offers', async () => {
    const [compact = '', web = ''] = configurationIds
    const { body: user } = await tenant.operator.post('/v1/users', { claims: {} })
    const own: string[] = []
    for (const id of [compact, web, compact]) {
      own.push((await newOffer(tenant, [id], { userId: user.id })).id)
      service.clock.advance(1)
    }
    await newShared(tenant, [compact])
    await setState(own[0] ?? '', 'claimed')
    const of = `userId=${user.id}`
    for (const limit of [1, 2, 1000]) {
      expect(idsOf(await list(tenant, `${of}&limit=${limit}`))).toEqual(own)
      expect(idsOf(await list(tenant, `${of}&limit=${limit}&order=newest`))).toEqual(own.toReversed())
      expect(idsOf(await list(tenant, `${of}&limit=${limit}&state=usable`))).toEqual(own.slice(1))
    }
    expect(idsOf(await list(tenant, `${of}&configurationId=${web}`))).toEqual([own[1]])
    expect(await list(tenant, `userId=${randomUUID()}`)).toEqual([])
    expect(await list(await service.addTenant(), of)).toEqual([])
    for (const id of own) await tenant.operator.delete(`${path}/pre-authorized/${id}`)
  })

  test('has the offers of its own tenant only, and a wrong parameter is refused with its name', async () => {
    const other = await service.addTenant()
    expect(await list(other)).toEqual([])
    for (const [query, param] of [
      ['state=unusable', 'state'],
      ['order=best', 'order'],
      ['configurationId=compact', 'configurationId'],
      ['userId=ada', 'userId'],
      ['limit=0', 'limit'],
      ['cursor=x', 'cursor'],
    ]) {
      expect(await tenant.operator.get(`${path}?${query}`)).toMatchObject({
        status: 400,
        body: { details: [{ param, location: 'query' }] },
      })
    }
  })

  test('reads a limited number of offers for each page, and the next page continues after them', async () => {
    const many = await service.addTenant()
    const [configurationId, wanted] = [randomUUID(), randomUUID()]
    const first = await newShared(many, [await compactConfiguration(many)])
    const at = plusMs(service.clock.now(), 1)
    const rowOf = (place: number): OfferRow => ({
      ...{ id: randomUUID(), tenantId: many.id, userId: randomUUID(), codeHash: '', claims: {} },
      ...{
        state: 'claimed',
        configurationIds: [configurationId],
        sealedCode: null,
        referenceHash: null,
        isByReference: false,
        viewId: null,
        claimLinkId: null,
        label: null,
        needsSignIn: false,
      },
      ...{ transactionCodeMac: null, transactionCodeDescription: null, wrongTransactionCodes: 0, sessionId: null },
      ...{ traceparent: null, createdAt: plusMs(at, place), expiresAt: plusMs(at, place) },
    })
    const rows = Array.from({ length: 2_100 }, (_, place) => rowOf(place))
    const match = { ...rowOf(2_100), state: 'ended' as const, configurationIds: [wanted] }
    await service.deps.db.tx(async (tx) => {
      for (const row of [...rows, match]) await insertOffer(tx, row)
    })
    advance(3_000)
    const last = await newShared(many, [await compactConfiguration(many, { type: 'Last' })])
    for (const query of ['state=ended', `configurationId=${wanted}`]) {
      const { body } = await many.operator.get(`${path}?${query}`)
      expect(body).toEqual({ data: [], nextCursor: expect.any(String) })
      expect(await list(many, query)).toMatchObject([{ id: match.id, state: 'ended' }])
    }
    const sought = `order=newest&configurationId=${rows[0]?.configurationIds[0]}&limit=900`
    expect(idsOf(await list(many, sought))).toEqual(idsOf(rows.toReversed() as Listed[]))
    const { body: far } = await many.operator.get(`${path}?order=newest&state=usable&limit=1000`)
    expect(idsOf(far.data)[0]).toBe(last)
    expect(idsOf(await list(many, 'order=newest&state=usable'))).toEqual([last, first])
    // None of the stored rows can be usable.
    const usable = await many.operator.get(`${path}?state=usable`)
    expect(idsOf(usable.body.data)).toContain(first)
    expect(idsOf(await list(many, 'state=usable'))).toEqual([first, last])
    expect(idsOf(await list(many, 'limit=1000'))).toEqual([first, ...idsOf(rows as Listed[]), match.id, last])
  })
})

describe('a shared offer', () => {
  const configurationPath = '/v2/credentials/compact/configurations'

  test('protects its configurations until it is deleted', async () => {
    const [id, other] = [await compactConfiguration(service), await webConfiguration(service)]
    const [offer, second] = [await newShared(service, [other, id, id]), await newShared(service, [id])]
    for (const each of [offer, second]) {
      const refused = await service.operator.delete(`${configurationPath}/${id}`)
      expect(refused).toMatchObject({ status: 409, body: { code: 'Conflict' } })
      const [listing] = /\/v1\S+/.exec(refused.body.message) ?? []
      expect(idsOf((await service.operator.get(listing ?? '')).body.data)[0]).toBe(each)
      expect(await service.operator.delete(`${path}/${each}`)).toMatchObject({ status: 204 })
    }
    expect(await service.operator.delete(`${configurationPath}/${id}`)).toMatchObject({ status: 204 })
  })

  test('that is deleted starts no authorization, is in no list, has its deletion in the timeline, and is not found a second time', async () => {
    const id = await compactConfiguration(service)
    const { body } = await service.operator.post(path, { credentials: [id], by: 'reference' })
    const address = new URL(new URL(body.uri).searchParams.get('credential_offer_uri') ?? '').pathname
    const offer = await readOffer(body.uri, service.anonymous)
    const { issuer_state } = offer.grants.authorization_code
    const wallet = newAuthorizationWallet(service, service.origin, id)
    const named = { authorization_details: undefined, issuer_state }
    const code = (await wallet.authorize(named)).get('code') ?? ''
    const other = await service.addTenant()
    expect(await other.operator.delete(`${path}/${issuer_state}`)).toMatchObject({ status: 404 })

    expect(await service.operator.delete(`${path}/${issuer_state}`)).toMatchObject({ status: 204 })
    expect(await service.operator.delete(`${path}/${issuer_state}`)).toMatchObject({
      status: 404,
      body: { details: [{ param: 'id', location: 'params' }] },
    })
    expect(await service.anonymous.get(address)).toMatchObject({ status: 404 })
    expect(idsOf(await list(service))).not.toContain(issuer_state)
    expect(idsOf(await list(service, `configurationId=${id}`))).toEqual([])
    const refused = await newAuthorizationWallet(service, service.origin, id).browser.open(wallet.authorizeUrl(named))
    expect(refused).toMatchObject({ status: 400 })
    const steps = await eventually(async () => {
      const { body: timeline } = await service.operator.get(`${path}/${issuer_state}/timeline`)
      const named: string[] = timeline.data.map(({ step }: { step: string }) => step)
      return named.includes('offer deleted') && named
    })
    expect(steps).toContain('offer created')

    // A wallet with a code can still collect its credential.
    const { body: token } = await wallet.redeem(code)
    const nonce = (await service.anonymous.post('/v1/openid/nonce')).body.c_nonce
    const jwt = [await makeProof({ issuer: service.baseUrl, nonce, key: await newHolderKey() })]
    const bearer = createApi(service.origin, service.host, token.access_token)
    const request = { credential_configuration_id: id, proofs: { jwt } }
    expect(await bearer.post('/v1/openid/credential', request)).toMatchObject({ status: 200 })
  })
})

test('a pre-authorized offer is deleted by the same operation, and its code is refused', async () => {
  const { id, uri } = await newOffer(service, [await compactConfiguration(service)])
  const wallet = await newWallet(service, service.origin, uri)
  expect(await service.operator.delete(`${path}/${id}`)).toMatchObject({ status: 204 })
  expect(await wallet.redeem()).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  expect(await service.operator.delete(`${path}/${id}`)).toMatchObject({ status: 404 })
  expect(await service.operator.delete(`${path}/${randomUUID()}`)).toMatchObject({ status: 404 })
  expect(await service.operator.delete(`${path}/nothing`)).toMatchObject({ status: 400 })
})

describe('the details of an offer', () => {
  const detailsOf = async (id: string) => (await service.operator.get(`${path}/${id}/details`)).body

  test('are those of the list, with the URI while a wallet can open the offer', async () => {
    const id = await compactConfiguration(service)
    const transactionCodeConfiguration = { description: 'By letter' }
    const offer = await newOffer(service, [id], { transactionCodeConfiguration })
    const details = await detailsOf(offer.id)
    expect(details).toEqual({
      ...{ id: offer.id, kind: 'pre-authorized', state: 'usable', credentials: [id], userId: offer.userId },
      ...{ createdAt: expect.any(String), expiresAt: offer.expiresAt, page: offer.page, uri: offer.uri, qr: offer.uri },
      transactionCode: { description: 'By letter' },
    })
    const wallet = await newWallet(service, service.origin, details.uri)
    await wallet.redeem({ tx_code: offer.transactionCode ?? '' })
    const opened = await detailsOf(offer.id)
    expect(opened).toMatchObject({ state: 'spent', page: offer.page })
    expect(opened).not.toHaveProperty('uri')
    expect(opened).not.toHaveProperty('qr')
  })

  test('have the same URI for a shared offer; a deleted or foreign offer is not found, and an expired one has no URI', async () => {
    const id = await compactConfiguration(service)
    const shared = await newShared(service, [id])
    const { uri } = await detailsOf(shared)
    expect((await readOffer(uri, service.anonymous)).grants.authorization_code.issuer_state).toBe(shared)
    const other = await service.addTenant()
    expect(await other.operator.get(`${path}/${shared}/details`)).toMatchObject({ status: 404 })
    await service.operator.delete(`${path}/${shared}`)
    expect(await service.operator.get(`${path}/${shared}/details`)).toMatchObject({ status: 404 })
    const offer = await newOffer(service, [id])
    advance(6 * 60_000)
    expect(await detailsOf(offer.id)).toMatchObject({ state: 'expired' })
    expect(await detailsOf(offer.id)).not.toHaveProperty('uri')
  })
})
