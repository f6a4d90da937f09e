import { afterAll, beforeAll, expect, test } from 'vitest'
import { recordListChanges } from '../../db/repos/status/entries.ts'
import { statusChanges } from '../../db/tables/status/changes.ts'
import { statusLists } from '../../db/tables/status/lists.ts'
import { plusMs } from '../../shared/clock.ts'
import { newId } from '../../shared/ids.ts'
import { serviceMetricsRegistry } from '../../workers/service-metrics/registry.ts'
import { measureLists } from '../../workers/service-metrics/status-lists.ts'
import { type OpenDatabase, openNewDatabase } from '../harness/database.ts'

let database: OpenDatabase
beforeAll(async () => {
  database = await openNewDatabase()
})
afterAll(() => database.drop())

async function metricLines(now: Date): Promise<string[]> {
  await measureLists({ db: database.db, clock: { now: () => now } })
  // Lists that end are counted in `test/flows/token-list-ends.test.ts`.
  return (await serviceMetricsRegistry.metrics())
    .split('\n')
    .filter((line) => /^trustwright_status_(?!lists_ending)/.test(line))
}

test('metrics show the age of the oldest unpublished change and how full the lists of each kind are', async () => {
  const at = new Date()
  expect(await metricLines(at)).toEqual(['trustwright_status_oldest_unpublished_seconds 0'])
  const list = { kind: 'compact' as const, size: 1_000, permutationKey: '', createdAt: at }
  await database.db.tx(async (tx) => {
    await tx.insert(statusLists).values({ ...list, id: newId(), tenantId: newId(), number: 1, taken: 64 })
    await tx.insert(statusLists).values({ ...list, id: newId(), tenantId: newId(), number: 1, taken: 6 })
    await recordListChanges(tx, newId(), [newId()], plusMs(at, -7_000))
    await recordListChanges(tx, newId(), [newId()], plusMs(at, -2_000))
  })
  expect((await metricLines(at)).sort()).toEqual([
    'trustwright_status_list_places{kind="compact",state="size"} 2000',
    'trustwright_status_list_places{kind="compact",state="taken"} 70',
    'trustwright_status_oldest_unpublished_seconds 7',
  ])
  await database.db.tx(async (tx) => void (await tx.delete(statusChanges)))
  expect(await metricLines(at)).toContain('trustwright_status_oldest_unpublished_seconds 0')
})
