import { afterAll, beforeAll, expect, test } from 'vitest'
import { dialect } from '../../db/columns.ts'
import { countBulk, findBulkPage } from '../../db/repos/status/bulk-pages.ts'
import type { BulkFilter } from '../../db/tables/status/bulks.ts'
import { openedData } from '../data-folder.ts'
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
  ['time', () => ({ issuedFrom: from, issuedTo: to }), 'credentials_configuration'],
])('the credentials of a filter by %s are walked by an index', async (_name, filterOf, index) => {
  const { tenantId } = data.facts
  const filter = filterOf(data.held.userId)
  const plans = await plansOf(data.url, async (tx) => {
    await countBulk(tx, tenantId, filter, until)
    await findBulkPage(tx, tenantId, { filter, until, most: 2 })
    await findBulkPage(tx, tenantId, { filter, until, most: 2, from: { configurationId: 'c', after } })
  })
  expect(plans.length).toBeGreaterThan(2)
  expect(scansIn(plans)).toEqual([])
  // Which one PostgreSQL takes depends on how many rows there are.
  if (dialect === 'sqlite') for (const plan of plans) expect(plan).toContain(index)
})
