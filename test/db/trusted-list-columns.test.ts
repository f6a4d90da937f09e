import { eq, getTableColumns, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  completeTrustedList,
  findPublishedTrustedList,
  findTrustedListRow,
  insertTrustedList,
  listPublishedTrustedLists,
} from '../../db/repos/ecosystems/trusted-lists.ts'
import { ecosystems } from '../../db/tables/ecosystems/ecosystems.ts'
import { trustedLists } from '../../db/tables/ecosystems/trusted-lists.ts'
import { type OpenDatabase, openNewDatabase } from '../harness/database.ts'

let open: OpenDatabase
beforeAll(async () => {
  open = await openNewDatabase()
})
afterAll(() => open.drop())

test('queries of lists read no column after their content, because SQLite would read the content too', async () => {
  const { db } = open
  const columns = Object.keys(getTableColumns(trustedLists))
  const before = new Set(columns.slice(0, columns.indexOf('content')))
  const at = new Date()
  const [tenantId, ecosystemId, id, kind] = ['tenant', 'ecosystem', 'list', 'vical'] as const
  await db.tx(async (tx) => {
    const ecosystem = { id: ecosystemId, tenantId, name: 'Ecosystem', policyModifiedAt: at, revision: 0, createdAt: at }
    await tx.insert(ecosystems).values(ecosystem)
    await insertTrustedList(tx, { id, tenantId, ecosystemId, kind, isAutoPublished: false, createdAt: at })
    const content = { number: 1, date: at, nextUpdate: at, content: Buffer.of(1), signerId: 'signer' }
    await completeTrustedList(tx, tenantId, id, content)
  })
  const readOf = (row: object = {}) => new Set(Object.keys(row))
  expect(readOf(await findPublishedTrustedList(db.read, tenantId, ecosystemId, kind, 'latest'))).toEqual(before)
  const [listed] = await listPublishedTrustedLists(db.read, tenantId, ecosystemId, kind, 1)
  // It is in the index of pages, where SQLite finds it; one row alone is read by its id.
  const withTime = before.union(new Set(['createdAt']))
  expect(readOf(listed)).toEqual(withTime)
  expect(readOf(await findTrustedListRow(db.read, tenantId, id))).toEqual(withTime)
})

test('PostgreSQL stores lists without an attempt to compress them', { tags: 'postgres' }, async () => {
  const { db } = open
  const at = new Date()
  const [tenantId, id] = ['tenant', 'large list']
  const content = { number: 2, date: at, nextUpdate: at, content: Buffer.alloc(100_000), signerId: 'signer' }
  await db.tx(async (tx) => {
    const row = {
      id,
      tenantId,
      ecosystemId: 'ecosystem',
      kind: 'vical',
      isAutoPublished: false,
      createdAt: at,
    } as const
    await insertTrustedList(tx, row)
    await completeTrustedList(tx, tenantId, id, content)
  })
  const compression = sql`pg_column_compression(${trustedLists.content})`
  expect(await db.read.select({ compression }).from(trustedLists).where(eq(trustedLists.id, id))).toEqual([
    { compression: null },
  ])
})
