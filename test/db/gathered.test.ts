import { afterAll, beforeAll, expect, test } from 'vitest'
import { gathered } from '../../db/engine/gathered.ts'
import { type OpenDatabase, openNewDatabase } from '../harness/database.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await openNewDatabase()
})
afterAll(() => database.drop())

function counted(fails = false) {
  const queries: [tenantId: string, ids: string[]][] = []
  const find = gathered(async (_db, tenantId, ids) => {
    queries.push([tenantId, ids])
    if (fails) throw new Error('the database is away')
    return new Map(ids.filter((id) => id !== 'none').map((id) => [id, `${id} of ${tenantId}`]))
  })
  return { queries, find: (tenantId: string, id: string) => find(database.db.read, tenantId, id) }
}

test('concurrent reads share one query per tenant', async () => {
  const { queries, find } = counted()
  const asked = [find('a', '1'), find('b', '1'), find('a', '2'), find('a', '1'), find('a', 'none')]
  expect(await Promise.all(asked)).toEqual(['1 of a', '1 of b', '2 of a', '1 of a', undefined])
  expect(queries).toEqual([
    ['a', ['1', '2', 'none']],
    ['b', ['1']],
  ])
})

test('a later read runs its own query', async () => {
  const { queries, find } = counted()
  await find('a', '1')
  await find('a', '1')
  expect(queries).toHaveLength(2)
})

test('a failed query rejects all reads that share it', async () => {
  const { find } = counted(true)
  const outcomes = await Promise.allSettled([find('a', '1'), find('a', '2')])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})
