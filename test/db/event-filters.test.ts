import { afterAll, beforeAll, expect, test } from 'vitest'
import { dialect } from '../../db/columns.ts'
import { listAuditEvents } from '../../db/repos/operations/audit/audit.ts'
import { type EventFilters, listEvents } from '../../db/repos/operations/search/events.ts'
import { openedData } from '../harness/data-folder.ts'
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
  ['objects', { objectIds: ['a'] }, 'events_object (tenant_id=? AND object_id=? AND timestamp<?)'],
  ['offers', { offerIds: ['a'] }, 'events_offer (tenant_id=? AND offer_id=? AND timestamp<?)'],
  ['changes', { show: 'changes' }, 'events_page (tenant_id=? AND timestamp<?)'],
  ['changes of objects', { show: 'changes', objectIds: ['a'] }, 'events_object (tenant_id=? AND object_id=?'],
  ['dates', { dateFrom: new Date(0), dateTo: cursor.at }, 'events_page (tenant_id=? AND timestamp>? AND timestamp<?)'],
]

test.each(cases)('an index finds events by %s', async (_name, filters, index) => {
  const plans = await plansOf(data.url, (tx) => listEvents(tx, data.facts.tenantId, filters, 100, cursor))
  expect(plans.length).toBeGreaterThan(0)
  expect(scansIn(plans)).toEqual([])
  if (dialect === 'sqlite') for (const plan of plans) expect(plan).toContain(index)
})

test('the other filters are applied to the rows of the index of one filter', { tags: 'sqlite' }, async () => {
  const filters = { clientIds: ['a'], types: ['b'], categories: ['c'] }
  const plans = await plansOf(data.url, (tx) => listEvents(tx, data.facts.tenantId, filters, 100, cursor))
  expect(plans.at(-1)).toMatch(/\+"events"."type" in .*\+"events"."category" in /)
})

const ofAudit: [string, EventFilters, string][] = [
  ['ids', { ids: ['a', 'b'], types: ['c'] }, 'audit_events_id (tenant_id=? AND id=?)'],
  ['requests', { requestIds: ['a', 'b'] }, 'audit_events_request (tenant_id=? AND request_id=? AND timestamp<?)'],
  ['types', { types: ['a', 'b'] }, 'audit_events_type (tenant_id=? AND type=? AND timestamp<?)'],
  ['clients', { clientIds: ['a'], types: ['b'] }, 'audit_events_client (tenant_id=? AND client_id=? AND timestamp<?)'],
  [
    'people',
    { managementUserIds: ['a'] },
    'audit_events_management_user (tenant_id=? AND management_user_id=? AND timestamp<?)',
  ],
]

test.each(ofAudit)('an index finds audit rows by %s', async (_name, filters, index) => {
  const plans = await plansOf(data.url, (tx) => listAuditEvents(tx, data.facts.tenantId, filters, 100, cursor))
  expect(plans.length).toBeGreaterThan(0)
  expect(scansIn(plans)).toEqual([])
  if (dialect === 'sqlite') for (const plan of plans) expect(plan).toContain(index)
})

test('the end of a page is found without reading events', { tags: 'sqlite' }, async () => {
  const filters = { clientIds: ['a'], types: ['b'] }
  const [end = ''] = await plansOf(data.url, (tx) => listEvents(tx, data.facts.tenantId, filters, 100, cursor))
  expect(end).toContain('USING COVERING INDEX events_client')
})
