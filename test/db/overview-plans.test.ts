import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dialect } from '../../db/columns.ts'
import { findUsedCertificates } from '../../db/repos/certificates/used-certificates.ts'
import { findFailingIntegrations, findTroubledPublications } from '../../db/repos/ecosystems/troubled-lists.ts'
import { type CountedResource, findCounts } from '../../db/repos/operations/counts.ts'
import { findEndedOffers, findIssuedByConfiguration } from '../../db/repos/operations/issuance-outcomes.ts'
import { findIssuedDays } from '../../db/repos/operations/issued-days.ts'
import { findOldestWork, type WorkKind } from '../../db/repos/operations/oldest-work.ts'
import { findRecentOffers } from '../../db/repos/operations/recent-offers.ts'
import { findTroubledWebhooks } from '../../db/repos/operations/webhooks/troubled-webhooks.ts'
import { findLateLists } from '../../db/repos/status/late-lists.ts'
import { users } from '../../db/tables/issuance/users.ts'
import { deliveries } from '../../db/tables/operations/deliveries.ts'
import { statusChanges } from '../../db/tables/status/changes.ts'
import { dayMs, plusMs } from '../../shared/clock.ts'
import { type OpenDatabase, openNewDatabase, vacuum } from '../harness/database.ts'
import { newCredentials, newList } from '../harness/revocable.ts'
import { plansOf, wholeScansIn } from './plans.ts'

const at = new Date()
const tenantId = randomUUID()
/** What was limited is then read whole, and so is a row that is in no table. */
const wholesIn = (plans: string[]) =>
  wholeScansIn(plans.map((plan) => plan.replaceAll(/SCAN (counted|recent|failed|CONSTANT ROW|one_row)$/gm, '')))
const works: WorkKind[] = ['issuance', 'statusChange', 'delivery', 'message', 'bulk', 'integration']
let database: OpenDatabase

beforeAll(async () => {
  database = await openNewDatabase()
  const context = { deps: { db: database.db, clock: { now: () => at } } }
  const listId = await newList(context, tenantId)
  await newCredentials(context, tenantId, { listId, count: 400 })
  const ids = Array.from({ length: 400 }, () => randomUUID())
  const delivery = { kind: 'OpenIdCredentialIssued' as const, attempts: [], attemptsMade: 0 }
  await database.db.tx(async (tx) => {
    await tx.insert(statusChanges).values(ids.map((id) => ({ id, tenantId, listId, changedAt: at })))
    await tx.insert(users).values(ids.map((id) => ({ id, tenantId, claims: {}, createdAt: at })))
    const about = { tenantId, webhookId: tenantId, eventId: tenantId, eventAt: at, createdAt: at }
    // As nearly always: most are delivered.
    const state = (place: number) => (place % 100 === 0 ? ('pending' as const) : ('delivered' as const))
    await tx.insert(deliveries).values(ids.map((id, place) => ({ ...delivery, ...about, id, state: state(place) })))
  })
  for (const table of ['credentials', 'users', 'status_changes', 'status_entries', 'deliveries'])
    await vacuum(table, database.url)
})
afterAll(() => database.drop())

test('items that need attention are found without reading large tables', async () => {
  const plans = await plansOf(database.url, async (tx) => {
    await findUsedCertificates(tx, tenantId, ['iaca', 'document-signer'], 9)
    expect(await findLateLists(tx, tenantId, at, 9)).toHaveLength(1)
    await findTroubledWebhooks(tx, tenantId, at, 9)
    await findTroubledPublications(tx, tenantId, { at, endsBy: at, limit: 9 })
    await findFailingIntegrations(tx, tenantId, 9)
    await findIssuedDays(tx, tenantId, at)
    await findEndedOffers(tx, tenantId, plusMs(at, -30 * dayMs), at)
    await findIssuedByConfiguration(tx, tenantId, plusMs(at, -30 * dayMs), at, 5)
    await findRecentOffers(tx, tenantId, { from: plusMs(at, -dayMs), at, limit: 9 })
    expect(await findOldestWork(tx, tenantId, works)).toMatchObject([{ work: 'statusChange' }])
  })
  expect(plans).toHaveLength(10)
  // The scan of a subquery with a limit reads no more rows than the limit.
  expect(wholesIn(plans.map((plan) => plan.replace('SCAN compared', '')))).toEqual([])
  // The oldest is the first of an index, in which all before it are fixed; nothing is sorted for it.
  const [, lists = '', hooks = '', , , , , , recent = '', oldest = ''] = plans
  expect(recent).toMatch(/offers_list/)
  expect(lists).toMatch(/status_changes_list/)
  expect(hooks).toMatch(/deliveries_undelivered/)
  const indices = ['issuances_state', 'status_changes_list', 'deliveries_waiting', 'outgoing_lines_waiting']
  for (const index of indices) expect(oldest).toMatch(index)
})

test('counts read one index, up to a maximum', async () => {
  const many: CountedResource[] = [
    'users',
    'credentials',
    'signedCredentials',
    'notValid',
    'usableOffers',
    'failedOffers',
    'participants',
  ]
  const plans = await plansOf(database.url, (tx) => findCounts(tx, tenantId, many, at))
  expect(plans).toHaveLength(1)
  const [plan = ''] = plans
  expect(wholesIn(plans)).toEqual([])
  expect(plan.toLowerCase().match(/\blimit (\$\d|\?)/g)).toHaveLength(many.length + 3)
  expect(plan).toMatch(/status_entries_set/)
  if (dialect === 'postgres') return
  // PostgreSQL reads an index alone where tables are large.
  for (const table of ['users', 'credentials', 'signed_credentials', 'participants'])
    expect(plan).toMatch(new RegExp(`SEARCH ${table} USING COVERING INDEX ${table}_\\w+`))
})
