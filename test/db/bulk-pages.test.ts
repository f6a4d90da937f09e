import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../db/client.ts'
import { dialect } from '../../db/columns.ts'
import { cancelSigned, insertSigned } from '../../db/repos/credentials/signed.ts'
import { type BulkCursor, countBulk, findBulkPage } from '../../db/repos/status/bulk-pages.ts'
import type { BulkFilter } from '../../db/tables/status/bulks.ts'
import { systemClock } from '../../shared/clock.ts'
import { openedData } from '../harness/data-folder.ts'
import { newCredentials } from '../harness/revocable.ts'
import { plansOf, scansIn } from './plans.ts'

let data: Awaited<ReturnType<typeof openedData>>
beforeAll(async () => {
  data = await openedData('12.22.0')
})
afterAll(() => data.drop())

const until = new Date('2101-01-01')
const [from, to] = [new Date('2020-01-01').getTime(), until.getTime()]
const after = { at: new Date('2021-01-01'), id: '' }

test.each<[filter: string, (userId: string) => BulkFilter, index: string]>([
  ['configuration', () => ({ configurationId: 'c' }), 'credentials_configuration'],
  ['user', (userId) => ({ userId }), 'credentials_page'],
  ['user and configuration', (userId) => ({ userId, configurationId: 'c' }), 'credentials_page'],
  [
    'configuration and time',
    () => ({ configurationId: 'c', issuedFrom: from, issuedTo: to }),
    'credentials_configuration',
  ],
  ['time', () => ({ issuedFrom: from, issuedTo: to }), 'credentials_configuration|signed_credentials_issued'],
])('an index finds the credentials of a filter by %s', async (_name, filterOf, index) => {
  const { tenantId } = data.facts
  const filter = filterOf(data.held.userId)
  const plans = await plansOf(data.url, async (tx) => {
    // Also of those behind a page, of which the user has one.
    await countBulk(tx, tenantId, { filter, until }, { maxTotal: 100, maxPerQuery: 1 })
    await findBulkPage(tx, tenantId, { filter, until, limit: 2 })
    await findBulkPage(tx, tenantId, { filter, until, limit: 2, from: { configurationId: 'c', after } })
    if (!filter.userId && !filter.configurationId)
      await findBulkPage(tx, tenantId, { filter, until, limit: 2, from: { isDirect: true, after } })
  })
  expect(plans.length).toBeGreaterThan(2)
  expect(scansIn(plans)).toEqual([])
  // Which one PostgreSQL takes depends on how many rows there are.
  if (dialect === 'sqlite') for (const plan of plans) expect(plan).toMatch(new RegExp(index))
})

test('credentials of a filter are counted in pages up to a maximum, and other queries run between the pages', async () => {
  const db = openDatabase(data.url, { survives: 'crash' })
  onTestFinished(() => db.close())
  const context = { deps: { db, clock: systemClock } }
  const tenantId = randomUUID()
  const [one, other] = [randomUUID(), randomUUID()]
  const issuedAt = new Date('2030-01-01')
  await newCredentials(context, tenantId, { configurationId: one, count: 50, issuedAt })
  await newCredentials(context, tenantId, { configurationId: other, count: 7 })
  await db.tx((tx) => {
    const signed = ['compact', 'web-semantic'].map((profile) => ({ profile: profile as 'compact', issuedAt }))
    return insertSigned(
      tx,
      signed.map((each) => ({ ...each, id: randomUUID(), tenantId, signerId: null })),
    )
  })
  await db.tx((tx) => cancelSigned(tx, tenantId, { id: randomUUID(), profile: 'compact', issuedAt }, issuedAt))
  const count = (filter: BulkFilter, limit = 1_000, chunkSize = 10) =>
    countBulk(db.read, tenantId, { filter, until }, { maxTotal: limit, maxPerQuery: chunkSize })
  let ticks = 0
  let isOver = false
  const beside = (async () => {
    for (; !isOver; ticks++) await setImmediate()
  })()
  expect(await count({ configurationId: one })).toBe(50)
  isOver = true
  await beside
  expect(ticks).toBeGreaterThanOrEqual(5)
  for (const chunkSize of [1, 3, 49, 50, 51]) expect(await count({ issuedFrom: from }, 1_000, chunkSize)).toBe(59)
  expect(await count({ configurationId: other })).toBe(7)
  expect(await count({ issuedFrom: issuedAt.getTime() })).toBe(52)
  for (const limit of [1, 10, 49, 50, 57, 58]) expect(await count({ issuedFrom: from }, limit)).toBe(limit)
  expect(await count({ issuedFrom: from, signerId: 'none' })).toBe(0)
  // The others are not examined, and could be of the signer.
  expect(await count({ issuedFrom: from, signerId: 'none' }, 58)).toBe(58)
  const seen: string[] = []
  for (let from: BulkCursor | undefined, isFirst = true; isFirst || from; isFirst = false) {
    const page = await findBulkPage(db.read, tenantId, { filter: { issuedFrom: 0 }, until, from, limit: 4 })
    seen.push(...page.rows)
    from = page.next
  }
  expect([seen.length, new Set(seen).size]).toEqual([59, 59])
})
