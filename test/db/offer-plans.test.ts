import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dialect } from '../../db/columns.ts'
import { isOffered, isShared } from '../../db/repos/issuance/configurations.ts'
import { listOffers, type OfferFilter, offerStates } from '../../db/repos/issuance/offers/listed-offers.ts'
import { recordOfferFailure } from '../../db/repos/issuance/offers/offer-failures.ts'
import { deleteSharedOffer, insertOffer, insertSharedOffer } from '../../db/repos/issuance/offers/offers.ts'
import { plusMs } from '../../shared/clock.ts'
import { type OpenDatabase, openNewDatabase, vacuum } from '../harness/database.ts'
import { plansOf, scansIn } from './plans.ts'

const at = new Date()
const tenantId = randomUUID()
const configurationId = randomUUID()
const sharedIds = Array.from({ length: 300 }, () => randomUUID())
let database: OpenDatabase

beforeAll(async () => {
  database = await openNewDatabase()
  await database.db.tx(async (tx) => {
    for (const id of sharedIds) {
      const named = { id, tenantId, configurationIds: [configurationId] }
      await insertSharedOffer(tx, {
        ...named,
        requestParameters: {},
        referenceHash: null,
        isByReference: false,
        authorizationServerId: null,
        viewId: null,
        deletedAt: null,
        label: null,
        createdAt: at,
      })
      await insertOffer(tx, {
        ...{
          ...named,
          userId: id,
          state: 'usable',
          claims: {},
          codeHash: '',
          sealedCode: null,
          referenceHash: null,
          isByReference: false,
          viewId: null,
          claimLinkId: null,
          label: null,
          needsSignIn: false,
        },
        ...{ transactionCodeMac: null, transactionCodeDescription: null, wrongTransactionCodes: 0, sessionId: null },
        ...{ traceparent: null, createdAt: at, expiresAt: plusMs(at, 60_000) },
      })
      const failure = { requestId: id, check: 'nonce' as const, reason: '', failedAt: at }
      await recordOfferFailure(tx, tenantId, id, failure, ['usable'], at)
    }
  })
  for (const table of ['offers', 'offer_failures', 'shared_offers', 'shared_offer_configurations'])
    await vacuum(table, database.url)
})
afterAll(() => database.drop())

test('an index finds every page of offers in its order, and the offers that protect a configuration', async () => {
  const asked = (['oldest', 'newest'] as const).flatMap((order) => {
    const page = { order, limit: 10, cursor: { at: plusMs(at, order === 'oldest' ? -1 : 1), id: '' } }
    return [undefined, ...offerStates].flatMap((state): OfferFilter[] => [
      { ...page, state },
      { ...page, state, configurationId },
      { ...page, state, failed: true },
    ])
  })
  const ofUser = (['oldest', 'newest'] as const).flatMap((order) =>
    [undefined, 'usable' as const].flatMap((state): OfferFilter[] => [
      { order, limit: 10, userId: sharedIds[1], state },
      { order, limit: 10, userId: sharedIds[1], state, failed: true },
    ]),
  )
  const plans = await plansOf(database.url, async (tx) => {
    for (const each of asked) {
      const isThere = each.state === undefined || each.state === 'usable'
      expect((await listOffers(tx, tenantId, each, at)).rows).toHaveLength(isThere ? 10 : 0)
    }
    for (const each of ofUser) {
      const ids = (await listOffers(tx, tenantId, each, at)).rows.map(({ id }) => id)
      expect(ids).toEqual([sharedIds[1]])
    }
    expect(await isShared(tx, tenantId, configurationId)).toBe(true)
    expect(await deleteSharedOffer(tx, tenantId, sharedIds[0] ?? '', at)).toBe(true)
  })
  expect(plans.length).toBeGreaterThanOrEqual(40)
  expect(scansIn(plans)).toEqual([])
  expect(plans.filter((plan) => plan.includes('offers_user')).length).toBeGreaterThanOrEqual(ofUser.length)
  // PostgreSQL sorts what it knows to be few.
  if (dialect === 'sqlite') expect(plans.filter((plan) => plan.includes('TEMP B-TREE'))).toEqual([])
})

test('the check of a configuration reads the offers of one tenant, and none that are too old to be usable', async () => {
  const isNamed = async (id: string, now: Date) => {
    const answers: boolean[] = []
    const plans = await plansOf(database.url, async (tx) => void answers.push(await isOffered(tx, tenantId, id, now)))
    expect(scansIn(plans)).toEqual([])
    // PostgreSQL chooses by its statistics, and all offers of this test belong to one tenant.
    if (dialect === 'sqlite')
      expect(plans).toEqual([expect.stringContaining('offers_list (tenant_id=? AND created_at>?')])
    return answers
  }
  expect(await isNamed(configurationId, at)).toEqual([true])
  expect(await isNamed(configurationId, plusMs(at, 60_000))).toEqual([false])
  expect(await isNamed(randomUUID(), at)).toEqual([false])
})
