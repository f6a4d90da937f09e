import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../db/client.ts'
import { findRow, rowQuery } from '../../db/find-row.ts'
import { hold } from '../../db/hold.ts'
import { sharedOffers } from '../../db/tables/issuance/shared-offers.ts'
import { users } from '../../db/tables/issuance/users.ts'
import { logos } from '../../db/tables/tenancy/logos.ts'
import { openNewDatabase } from '../harness/database.ts'

const [tenantId, id] = ['t', 'one']

let db: Database
let drop: () => Promise<void>
beforeAll(async () => {
  ;({ db, drop } = await openNewDatabase())
  await db.tx(async (tx) => {
    await tx.insert(users).values({ id, tenantId, claims: {}, createdAt: new Date() })
  })
})
afterAll(() => drop())

test('returns the row of this tenant only', async () => {
  expect(await findRow(db.read, users, tenantId, id)).toMatchObject({ id, tenantId })
  expect(await findRow(db.read, users, 'another', id)).toBeUndefined()
  expect(await findRow(db.read, users, tenantId, 'another')).toBeUndefined()
})

test('does not wait for a transaction that holds the row', async () => {
  await db.tx(async (tx) => {
    await hold(tx, users, tenantId, id)
    expect(await findRow(db.read, users, tenantId, id)).toMatchObject({ id })
  })
})

test('builds the query of each table and lock once', () => {
  expect(rowQuery(users)).toBe(rowQuery(users))
  expect(rowQuery(users, 'update')).toBe(rowQuery(users, 'update'))
  const all = [rowQuery(users), rowQuery(users, 'update'), rowQuery(users, 'key share'), rowQuery(sharedOffers)]
  expect(new Set(all).size).toBe(4)
})

test('refuses a table with a wider key, because its query would read the whole table', async () => {
  await expect(findRow(db.read, logos, tenantId, id)).rejects.toThrow('logos has rows of several tenants under one id')
})
