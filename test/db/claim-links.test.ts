import { and, eq, gt } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database, Reader, Writer } from '../../db/client.ts'
import { dialect } from '../../db/columns.ts'
import { removeBulkIssuance } from '../../db/repos/issuance/bulk/bulk-issuances.ts'
import {
  collectClaimLink,
  countWrongCodeOfLink,
  findClaimLink,
  findClaimLinkOfRow,
  openLink,
} from '../../db/repos/issuance/claim-links/claim-links.ts'
import { revokeClaimLinks } from '../../db/repos/issuance/claim-links/claim-links-of-bulk.ts'
import {
  claimLinkStates,
  countClaimLinks,
  listClaimLinks,
} from '../../db/repos/issuance/claim-links/listed-claim-links.ts'
import type {
  ClaimLinkTenant,
  MadeClaimLink,
  NewClaimLink,
} from '../../db/repos/issuance/claim-links/new-claim-links.ts'
import { renewClaimLink } from '../../db/repos/issuance/claim-links/renewed-claim-links.ts'
import { insertOffer, spendOffer, spendOfferByCode } from '../../db/repos/issuance/offers/offers.ts'
import { createUserTerms } from '../../db/repos/issuance/users/user-terms.ts'
import { claimLinksRemoval } from '../../db/retention/bulk-removal.ts'
import { eraseUser } from '../../db/retention/erasure.ts'
import { agingTables, purgeAged } from '../../db/retention/purge-aged.ts'
import { tenantRemovals } from '../../db/retention/removal.ts'
import { claimLinks, maxWrongCodesOfLink } from '../../db/tables/issuance/claim-links.ts'
import { users } from '../../db/tables/issuance/users.ts'
import { dayMs, plusMs } from '../../shared/clock.ts'
import { isClaimLinkReference, openClaimLink } from '../../shared/domain/issuance/claim-links.ts'
import { newId } from '../../shared/ids.ts'
import { createSecrets } from '../../shared/secrets/secrets.ts'
import { createClaimLinks, insertBulkOfLinks } from '../harness/claim-links.ts'
import { openNewDatabase, vacuum } from '../harness/database.ts'
import { eventually } from '../harness/harness.ts'
import { waitingForLocks } from '../harness/locks.ts'
import { plansOf, scansIn } from './plans.ts'

let db: Database
let url: string
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ db, url, drop } = await openNewDatabase())
})
afterAll(() => drop())

const secrets = createSecrets([Buffer.alloc(32, 7)])
const at = new Date('2026-01-01T12:00:00.000Z')
const expiresAt = plusMs(at, 28 * dayMs)
const making = { secrets, at }

interface Bulk {
  tenant: ClaimLinkTenant
  bulkId: string
}

const newBulk = (): Bulk => ({
  tenant: { id: newId(), baseUrl: 'https://t.example', sealedSecret: null },
  bulkId: newId(),
})

function linksOf(bulkId: string, count: number, extra: Partial<NewClaimLink> = {}): NewClaimLink[] {
  return Array.from({ length: count }, (_, position) => ({
    ...{ bulkId, row: position + 1, externalId: `s-${position + 1}`, configurationIds: ['c'], expiresAt },
    claims: { given_name: `Ada ${position}` },
    ...extra,
  }))
}

const make = ({ tenant, bulkId }: Bulk, count: number, extra?: Partial<NewClaimLink>): Promise<MadeClaimLink[]> =>
  db.tx(async (tx) => {
    await insertBulkOfLinks(tx, tenant.id, bulkId, at)
    return createClaimLinks(tx, tenant, linksOf(bulkId, count, extra), making)
  })

async function rowOf({ tenant }: Bulk, { id }: { id: string }) {
  const row = await findClaimLink(db.read, tenant.id, id)
  if (!row) throw new Error('no link')
  return row
}

async function open(bulk: Bulk, link: { id: string }, offerId = newId()): Promise<boolean> {
  const row = await rowOf(bulk, link)
  return db.tx((tx) => openLink(tx, row, { offerId, userId: row.userId ?? newId(), at }))
}

async function newUser(tenantId: string): Promise<string> {
  const id = newId()
  const noProvider = { providerId: null, subjectId: null, issuer: null }
  await db.tx((tx) => tx.insert(users).values({ id, tenantId, claims: {}, ...noProvider, createdAt: at }))
  return id
}

const referenceOf = ({ address }: MadeClaimLink) => address.slice(address.lastIndexOf('/') + 1)

describe('links are made', () => {
  test('for each row, with sealed claims and a secret of which only the hash is stored', async () => {
    const bulk = newBulk()
    const made = await make(bulk, 600)
    expect(made.map(({ row }) => row)).toEqual(Array.from({ length: 600 }, (_, position) => position + 1))
    expect(new Set(made.map(({ address }) => address)).size).toBe(600)
    const [first] = made as [MadeClaimLink]
    expect(first.address).toMatch(/^https:\/\/t\.example\/l\/[\w-]{44}$/)
    const row = await rowOf(bulk, first)
    expect(JSON.stringify(row)).not.toContain('Ada')
    expect(JSON.stringify(row)).not.toContain(referenceOf(first).slice(22))
    expect(openClaimLink(secrets, row.id, row.sealedContent ?? '')).toEqual({ claims: { given_name: 'Ada 0' } })
    expect(isClaimLinkReference(secrets, row, referenceOf(first))).toBe(true)
    expect(isClaimLinkReference(secrets, row, `${referenceOf(first).slice(0, 22)}${'x'.repeat(22)}`)).toBe(false)
  })

  test('once for each row: a repeated call returns the same addresses and codes', async () => {
    const bulk = newBulk()
    const first = await make(bulk, 3, { transactionCode: { description: 'By letter' } })
    expect(first.map(({ transactionCode }) => transactionCode)).toEqual(Array(3).fill(expect.stringMatching(/^\d{6}$/)))
    expect(await make(bulk, 3, { transactionCode: {} })).toEqual(first)
    expect((await make(bulk, 4)).slice(0, 3)).toEqual(first)
    expect(await db.read.$count(claimLinks, undefined)).toBeGreaterThanOrEqual(4)
    expect(await countClaimLinks(db.read, bulk.tenant.id, bulk.bulkId, at)).toMatchObject({ open: 4 })
  })

  test('once, if two processes make the same portion at once', async () => {
    const bulk = newBulk()
    const [one, other] = await Promise.all([make(bulk, 300), make(bulk, 300)])
    expect(one).toEqual(other)
    expect(await countClaimLinks(db.read, bulk.tenant.id, bulk.bulkId, at)).toMatchObject({ open: 300 })
  })

  test('with a secret that stays valid under another service secret', async () => {
    const bulk = newBulk()
    const [link] = (await make(bulk, 1)) as [MadeClaimLink]
    const row = await rowOf(bulk, link)
    const replaced = createSecrets([Buffer.alloc(32, 8)])
    expect(isClaimLinkReference(replaced, row, referenceOf(link))).toBe(true)
  })
})

describe('a link', () => {
  test('is opened once for each state that was read, and collected only by its newest offer', async () => {
    const bulk = newBulk()
    const [link] = (await make(bulk, 1)) as [MadeClaimLink]
    const { tenant } = bulk
    const row = await rowOf(bulk, link)
    const userId = newId()
    const [first, second] = [newId(), newId()]
    const openAs = (offerId: string) => db.tx((tx) => openLink(tx, row, { offerId, userId, at }))
    expect((await Promise.all([openAs(first), openAs(second)])).sort()).toEqual([false, true])
    const { offerId, state } = await rowOf(bulk, link)
    expect(state).toBe('opened')
    const collect = (of: string) => db.tx((tx) => collectClaimLink(tx, tenant.id, { id: link.id, offerId: of }, at))
    expect(await collect(offerId === first ? second : first)).toBe(false)
    expect(await collect(offerId ?? '')).toBe(true)
    expect(await collect(offerId ?? '')).toBe(true)
    expect(await rowOf(bulk, link)).toMatchObject({ state: 'collected', sealedContent: null })
    expect(await open(bulk, link)).toBe(false)
  })

  test('cannot be opened, redeemed or collected after the removal of its bulk issuance', async () => {
    const bulk = newBulk()
    const { tenant, bulkId } = bulk
    const [link, closed] = (await make(bulk, 2)) as [MadeClaimLink, MadeClaimLink]
    const [offerId, other, code] = [newId(), newId(), newId()]
    await open(bulk, link, offerId)
    await db.tx(async (tx) => {
      const unused = {
        sealedCode: null,
        referenceHash: null,
        isByReference: false,
        viewId: null,
        label: null,
        sessionId: null,
        traceparent: null,
      }
      const noCode = { transactionCodeMac: null, transactionCodeDescription: null, wrongTransactionCodes: 0 }
      const content = { configurationIds: ['c'], claims: {}, codeHash: code, expiresAt, createdAt: at }
      const offer = { tenantId: tenant.id, userId: newId(), state: 'usable' as const, ...content, ...unused, ...noCode }
      for (const [id, claimLinkId] of [[offerId, link.id] as const, [other, null] as const])
        await insertOffer(tx, { ...offer, id, claimLinkId, needsSignIn: false })
    })
    /** Tries each use of the link and of an offer, and rolls back. */
    const uses = async (id: string) => {
      const used: boolean[] = []
      const undo = new Error('undo')
      const run = async (use: (tx: Writer) => Promise<boolean>) => {
        const done = db.tx(async (tx) => {
          used.push(await use(tx))
          throw undo
        })
        await expect(done).rejects.toBe(undo)
      }
      const redeemed = { codeHash: code, viewId: null, sessionId: newId() }
      await run((tx) => spendOffer(tx, tenant.id, id, newId(), at))
      await run(async (tx) => (await spendOfferByCode(tx, tenant.id, id, redeemed, at)) !== undefined)
      await run((tx) => collectClaimLink(tx, tenant.id, { id: link.id, offerId }, at))
      return used
    }
    expect(await uses(offerId)).toEqual([true, true, true])
    expect(await db.tx((tx) => removeBulkIssuance(tx, tenant.id, bulkId, at))).toBe(true)
    expect(await uses(offerId)).toEqual([false, false, false])
    expect(await uses(other)).toEqual([true, true, false])
    expect(await open(bulk, closed)).toBe(false)
  })

  test('is not collected if the removal of its bulk issuance has begun', { tags: 'postgres' }, async () => {
    const bulk = newBulk()
    const { tenant, bulkId } = bulk
    const [link] = (await make(bulk, 1)) as [MadeClaimLink]
    const offerId = newId()
    await open(bulk, link, offerId)
    const collect = () => db.tx((tx) => collectClaimLink(tx, tenant.id, { id: link.id, offerId }, at))
    const { promise: isEnded, resolve: end } = Promise.withResolvers<void>()
    const { promise: isRemoved, resolve: removed } = Promise.withResolvers<void>()
    const removing = db.tx(async (tx) => {
      await removeBulkIssuance(tx, tenant.id, bulkId, at)
      removed()
      await isEnded
    })
    await isRemoved
    const collecting = collect()
    // The collection waits for the row that the removal holds.
    await eventually(async () => (await waitingForLocks({ deps: { db } })) > 0)
    end()
    await removing
    expect(await collecting).toBe(false)
  })

  test('cannot be opened after its end', async () => {
    const bulk = newBulk()
    const [link] = (await make(bulk, 1, { expiresAt: at })) as [MadeClaimLink]
    expect(await open(bulk, link)).toBe(false)
  })

  test('is revoked after too many wrong transaction codes over all its offers', async () => {
    const bulk = newBulk()
    const [link] = (await make(bulk, 1, { transactionCode: {} })) as [MadeClaimLink]
    const { id } = bulk.tenant
    for (let count = 1; count <= maxWrongCodesOfLink; count++) {
      expect(await open(bulk, link)).toBe(true)
      await db.tx((tx) => countWrongCodeOfLink(tx, id, link.id, at))
      expect((await rowOf(bulk, link)).state).toBe(count < maxWrongCodesOfLink ? 'opened' : 'revoked')
    }
    expect(await open(bulk, link)).toBe(false)
  })
})

describe('operators', () => {
  test('count and list links by state', async () => {
    const bulk = newBulk()
    const { tenant, bulkId } = bulk
    const links = await make(bulk, 5)
    const [, opened, collected, revoked] = links as [MadeClaimLink, MadeClaimLink, MadeClaimLink, MadeClaimLink]
    const offerId = newId()
    for (const [link, of] of [[opened, newId()] as const, [collected, offerId] as const]) await open(bulk, link, of)
    await db.tx((tx) => collectClaimLink(tx, tenant.id, { id: collected.id, offerId }, at))
    expect(await db.tx((tx) => revokeClaimLinks(tx, tenant.id, bulkId, { rows: [revoked.row, 3, 99] }, at))).toBe(1)
    const counts = (when: Date) => countClaimLinks(db.read, tenant.id, bulkId, when)
    expect(await counts(at)).toEqual({ open: 2, opened: 1, collected: 1, expired: 0, revoked: 1 })
    expect(await counts(expiresAt)).toEqual({ open: 0, opened: 0, collected: 1, expired: 3, revoked: 1 })
    const rows = async (query: Parameters<typeof listClaimLinks>[3], when = at) =>
      (await listClaimLinks(db.read, tenant.id, bulkId, query, when)).map(({ row, state }) => `${row} ${state}`)
    expect(await rows({ limit: 9 })).toEqual(['1 open', '2 opened', '3 collected', '4 revoked', '5 open'])
    expect(await rows({ limit: 2, after: 1 })).toEqual(['2 opened', '3 collected'])
    expect(await rows({ limit: 9, state: 'open' })).toEqual(['1 open', '5 open'])
    expect(await rows({ limit: 9, state: 'expired' }, expiresAt)).toEqual(['1 expired', '2 expired', '5 expired'])
    expect(await rows({ limit: 2, state: 'expired' }, expiresAt)).toEqual(['1 expired', '2 expired'])
    expect(await rows({ limit: 9, state: 'expired', after: 1 }, expiresAt)).toEqual(['2 expired', '5 expired'])
    expect(await rows({ limit: 9, state: 'opened' }, expiresAt)).toEqual([])
    // In several queries, each of two rows.
    expect(await countClaimLinks(db.read, tenant.id, bulkId, expiresAt, 2)).toEqual(await counts(expiresAt))
    const expired = (limit: number, after = 0) =>
      listClaimLinks(db.read, tenant.id, bulkId, { state: 'expired', limit, after }, expiresAt, 2)
    expect((await expired(9)).map(({ row }) => row)).toEqual([1, 2, 5])
    expect((await expired(2, 1)).map(({ row }) => row)).toEqual([2, 5])
    expect((await expired(1, 2)).map(({ row }) => row)).toEqual([5])
    const [listed] = await listClaimLinks(db.read, tenant.id, bulkId, { limit: 1 }, at)
    expect(Object.keys(listed ?? {}).sort()).toEqual(
      ['endedAt', 'expiresAt', 'externalId', 'generation', 'id', 'label', 'openedAt', 'row', 'state', 'userId'].sort(),
    )
  })

  test('revoke all links of a bulk issuance in portions', async () => {
    const bulk = newBulk()
    const { tenant, bulkId } = bulk
    const links = await make(bulk, 5)
    await open(bulk, links[3] as MadeClaimLink)
    const revoke = () => db.tx((tx) => revokeClaimLinks(tx, tenant.id, bulkId, { limit: 2 }, at))
    expect([await revoke(), await revoke(), await revoke(), await revoke()]).toEqual([2, 2, 1, 0])
    expect(await countClaimLinks(db.read, tenant.id, bulkId, at)).toMatchObject({ open: 0, opened: 0, revoked: 5 })
  })

  test('renew a link, also a revoked or expired one: it has another secret, code and end', async () => {
    const bulk = newBulk()
    const { tenant, bulkId } = bulk
    const [link] = (await make(bulk, 1, { transactionCode: {} })) as [MadeClaimLink]
    const later = plusMs(expiresAt, dayMs)
    const renew = (row = 1) => db.tx((tx) => renewClaimLink(tx, tenant, { bulkId, row, expiresAt: later }, making))
    await open(bulk, link)
    await db.tx((tx) => revokeClaimLinks(tx, tenant.id, bulkId, { rows: [1] }, at))
    const renewed = (await renew()) as MadeClaimLink
    expect(renewed).toMatchObject({ id: link.id, row: 1, transactionCode: expect.stringMatching(/^\d{6}$/) })
    const row = await rowOf(bulk, link)
    expect(row).toMatchObject({ state: 'open', generation: 1, offerId: null, expiresAt: later, wrongCodes: 0 })
    expect(isClaimLinkReference(secrets, row, referenceOf(renewed))).toBe(true)
    expect(isClaimLinkReference(secrets, row, referenceOf(link))).toBe(false)
    const content = openClaimLink(secrets, row.id, row.sealedContent ?? '')
    expect(content).toEqual({ claims: { given_name: 'Ada 0' }, transactionCode: renewed.transactionCode })
    expect(await make(bulk, 1)).toEqual([renewed])
    expect(await renew(2)).toBeUndefined()
    const offerId = newId()
    await open(bulk, link, offerId)
    await db.tx((tx) => collectClaimLink(tx, tenant.id, { id: link.id, offerId }, at))
    expect(await renew()).toBeUndefined()
    expect(await findClaimLinkOfRow(db.read, tenant.id, bulkId, 1)).toMatchObject({ state: 'collected' })
  })
})

describe('links are removed', () => {
  test('with their user', async () => {
    const bulk = newBulk()
    const { tenant, bulkId } = bulk
    const userId = await newUser(tenant.id)
    await make(bulk, 2, { userId })
    const [other] = await make({ ...bulk, bulkId: newId() }, 1)
    const erased = await db.tx((tx) => eraseUser(tx, tenant.id, userId, at, createUserTerms()))
    expect(erased?.rows).toEqual({ users: 1, claim_links: 2 })
    expect(await listClaimLinks(db.read, tenant.id, bulkId, { limit: 9 }, at)).toEqual([])
    expect(await findClaimLink(db.read, tenant.id, other?.id ?? '')).toBeDefined()
  })

  test('with their bulk issuance', async () => {
    const [bulk, other] = [newBulk(), newBulk()]
    await make(bulk, 3)
    await make({ ...other, tenant: bulk.tenant }, 1)
    expect(await db.tx((tx) => claimLinksRemoval(bulk.tenant.id, bulk.bulkId)(tx, 100))).toBe(3)
    expect(await listClaimLinks(db.read, bulk.tenant.id, other.bulkId, { limit: 9 }, at)).toHaveLength(1)
  })

  test('with their tenant, and 30 days after their end', async () => {
    const [one, another] = [newBulk(), newBulk()]
    const past = plusMs(at, -40 * dayMs)
    const [removed] = (await make(one, 1)) as [MadeClaimLink]
    const [old] = (await make(another, 1, { expiresAt: past })) as [MadeClaimLink]
    const aging = agingTables.find(({ table }) => table === claimLinks)
    if (!aging) throw new Error('links have no age')
    await db.tx(async (tx) => {
      for (const removal of tenantRemovals(one.tenant.id)) await removal(tx, 100)
      await purgeAged(aging)(tx, plusMs(at, -aging.afterMs), 100)
    })
    expect(aging.afterMs).toBe(30 * dayMs)
    expect(await findClaimLink(db.read, one.tenant.id, removed.id)).toBeUndefined()
    expect(await findClaimLink(db.read, another.tenant.id, old.id)).toBeUndefined()
  })
})

test('an index finds the links of a bulk issuance for each list, count, revocation and renewal', async () => {
  const bulk = newBulk()
  const { tenant, bulkId } = bulk
  await make(bulk, 300)
  await vacuum('claim_links', url)
  const plans = await plansOf(url, async (tx) => {
    for (const state of [undefined, ...claimLinkStates])
      await listClaimLinks(tx, tenant.id, bulkId, { limit: 10, ...(state && { state }) }, at)
    await countClaimLinks(tx, tenant.id, bulkId, at)
    await revokeClaimLinks(tx, tenant.id, bulkId, { limit: 10 }, at)
    await revokeClaimLinks(tx, tenant.id, bulkId, { rows: [1, 2] }, at)
    await renewClaimLink(tx, tenant, { bulkId, row: 3, expiresAt }, making)
    await claimLinksRemoval(tenant.id, bulkId)(tx, 10)
  })
  expect(plans.length).toBeGreaterThan(10)
  expect(scansIn(plans)).toEqual([])
  if (dialect === 'sqlite') expect(plans.filter((plan) => /order by[\s\S]*TEMP B-TREE/.test(plan))).toEqual([])
})

test('a list of few expired links reads no row of the others', async () => {
  const bulk = newBulk()
  await make(bulk, 1_000)
  const isFew = and(eq(claimLinks.bulkId, bulk.bulkId), gt(claimLinks.row, 990))
  await db.tx((tx) => tx.update(claimLinks).set({ expiresAt: at }).where(isFew))
  await vacuum('claim_links', url)
  const list = (tx: Reader) => listClaimLinks(tx, bulk.tenant.id, bulk.bulkId, { limit: 20, state: 'expired' }, at, 600)
  expect((await list(db.read)).map(({ row }) => row)).toEqual([991, 992, 993, 994, 995, 996, 997, 998, 999, 1_000])
  const plans = (await plansOf(url, list)).filter((plan) => plan.includes('external_id'))
  expect(plans).toHaveLength(4)
  // The index contains the end of each link. PostgreSQL uses the one on the ends alone if few links of all have ended.
  const index =
    dialect === 'postgres' ? /claim_links_(state|expiry)[\s\S]*Index Cond:.*expires_at <=/ : /claim_links_state/
  for (const plan of plans) expect(plan).toMatch(index)
})
