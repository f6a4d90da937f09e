import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listCredentials } from '../../db/repos/issuance/listed-credentials.ts'
import { findRevocable } from '../../db/repos/status/entries.ts'
import { plusMs } from '../../shared/clock.ts'
import { type OpenDatabase, openNewDatabase, vacuum } from '../harness/database.ts'
import { newCredentials } from '../harness/revocable.ts'
import { plansOf } from './plans.ts'

const at = new Date()
const tenantId = randomUUID()
const configurationIds = Array.from({ length: 30 }, () => randomUUID())
let database: OpenDatabase

beforeAll(async () => {
  database = await openNewDatabase()
  const context = { deps: { db: database.db, clock: { now: () => at } } }
  for (const configurationId of configurationIds)
    await newCredentials(context, tenantId, { configurationId, count: 20 })
  await vacuum('credentials', database.url)
})
afterAll(() => database.drop())

test('an index finds every page of credentials, of one configuration and of all', async () => {
  const plans = await plansOf(database.url, async (tx) => {
    for (const order of ['oldest', 'newest'] as const) {
      for (const configurationId of [undefined, configurationIds[0]]) {
        const range = { issuedFrom: plusMs(at, -60_000), issuedTo: plusMs(at, 60_000) }
        const cursor = { at: plusMs(at, order === 'oldest' ? -1 : 1), id: '' }
        for (const each of [{}, range, { cursor }, { state: 'valid' as const, profile: 'compact' as const }]) {
          const page = await listCredentials(tx, tenantId, { order, configurationId, limit: 10, ...each }, at)
          expect(page?.rows).toHaveLength(10)
        }
      }
    }
    await findRevocable(tx, tenantId, [randomUUID()])
  })
  expect(plans.length).toBeGreaterThanOrEqual(30)
  const lines = plans.flatMap((plan) => plan.split('\n').slice(1))
  expect(lines.filter((line) => /Seq Scan|SCAN credentials|\(ANY\(/.test(line))).toEqual([])
  // The others walk a range of times.
  const ofTenant = lines.filter((line) => line.endsWith('(tenant_id=?)'))
  expect(ofTenant.every((line) => line.includes('COVERING INDEX credentials_configuration'))).toBe(true)
})
