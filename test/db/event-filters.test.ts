import { afterAll, beforeAll, expect, test } from 'vitest'
import { dialect } from '../../db/columns.ts'
import { type EventFilters, listEvents } from '../../db/repos/operations/events.ts'
import { openedData } from '../data-folder.ts'
import { plansOf, scansIn } from './plans.ts'

let data: Awaited<ReturnType<typeof openedData>>
beforeAll(async () => {
  data = await openedData('12.22.0')
})
afterAll(() => data.drop())

const cursor = { at: new Date('2100-01-01'), id: 'x' }
const cases: [string, EventFilters, string][] = [
  ['ids', { ids: ['a', 'b'] }, 'sqlite_autoindex_events_1 (id=?)'],
  ['requests', { requestIds: ['a', 'b'] }, 'events_request (tenant_id=? AND request_id=? AND timestamp<?)'],
  ['types', { types: ['a', 'b'] }, 'events_type (tenant_id=? AND type=? AND timestamp<?)'],
  ['categories', { categories: ['a'] }, 'events_category (tenant_id=? AND category=? AND timestamp<?)'],
  ['clients', { clientIds: ['a'], types: ['b'] }, 'events_client (tenant_id=? AND client_id=? AND timestamp<?)'],
  [
    'people',
    { managementUserIds: ['a'] },
    'events_management_user (tenant_id=? AND management_user_id=? AND timestamp<?)',
  ],
  ['dates', { dateFrom: new Date(0), dateTo: cursor.at }, 'events_page (tenant_id=? AND timestamp>? AND timestamp<?)'],
]

test.each(cases)('events are found by %s through an index', async (_name, filters, index) => {
  const plans = await plansOf(data.url, (tx) => listEvents(tx, data.facts.tenantId, filters, 100, cursor))
  expect(plans.length).toBeGreaterThan(0)
  expect(scansIn(plans)).toEqual([])
  if (dialect === 'sqlite') for (const plan of plans) expect(plan).toContain(index)
})
