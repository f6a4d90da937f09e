import { getTableColumns, getTableName, is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Writer } from '../../db/client.ts'
import { type UserTerms, withUserTerms } from '../../db/repos/issuance/users/user-terms.ts'
import { findDueSenders, freeQueuedLines, takeDueLines } from '../../db/repos/messaging/due-lines.ts'
import {
  findDueWebhooks,
  freeQueuedDeliveries,
  takeDueDeliveries,
} from '../../db/repos/operations/webhooks/due-deliveries.ts'
import { eraseUser } from '../../db/retention/erasure.ts'
import { findOldestExpired } from '../../db/retention/oldest-expired.ts'
import { ownerWalks, purgeDeliveriesOf, purgeEventsOf } from '../../db/retention/owner-walks.ts'
import {
  abandonIssuancesAt,
  agingTables,
  purgeAged,
  purgeIssuances,
  refuseDeferredAt,
  wipeIssuances,
} from '../../db/retention/purge-aged.ts'
import {
  ecosystemRemovals,
  holderApplicationRemoval,
  inboxRemoval,
  tenantRemovals,
  webhookRemoval,
} from '../../db/retention/removal.ts'
import { retentionRules } from '../../db/retention/retention-table.ts'
import * as schema from '../../db/schema.ts'
import type { HeldFacts } from '../fixtures/fill-data-folder.ts'
import { openedData } from '../harness/data-folder.ts'
import { plansOf, scansIn, wholeScansIn } from './plans.ts'

const everything: unknown[] = Object.values(schema)
const tables = everything.filter((value): value is PgTable => is(value, PgTable) || is(value, SQLiteTable))
describe('retention-table.ts has a rule', () => {
  test.each(tables.map((table) => [getTableName(table), table] as const))('for %s', (_name, table) => {
    const said = retentionRules.filter((each) => each.table === table)
    expect(said).toHaveLength(1)
    const [{ tenant, user, with: hanging, ages, exception } = {}] = said
    const columns = getTableColumns(table)
    if (exception) return
    // A new table or column of this kind needs a retention rule here.
    expect(tenant).toBe(columns.tenantId)
    if (columns.userId) expect(user).toBe(columns.userId)
    if (columns.expiresAt) expect(ages?.by).toBe(columns.expiresAt)
    if (!columns.userId && (columns.sessionId || columns.issuanceId)) expect(hanging).toBeDefined()
  })

  test('for no other table', () => {
    expect(retentionRules.map(({ table }) => getTableName(table)).sort()).toEqual(tables.map(getTableName).sort())
  })
})

/** On data in which every table has rows. */
describe('an index finds', () => {
  let data: Awaited<ReturnType<typeof openedData>>
  let tenantId: string
  beforeAll(async () => {
    data = await openedData('12.22.0')
    tenantId = data.facts.tenantId
  })
  afterAll(() => data.drop())

  const later = new Date('2101-01-01')
  const works: Record<string, (tx: Writer, held: HeldFacts, terms: UserTerms) => Promise<unknown>> = {
    'the content of issuances': (tx) => wipeIssuances(tx, later, 500),
    'old issuances': (tx) => purgeIssuances(tx, later, 500),
    'issuances to abandon': (tx) => abandonIssuancesAt(later)(tx, later, 500),
    'issuances to refuse': (tx) => refuseDeferredAt(later)(tx, later, 500),
    'old events': (tx) => purgeEventsOf(tenantId)(tx, later, 500),
    'old deliveries': (tx, { webhookId }) => purgeDeliveriesOf(tenantId, webhookId)(tx, later, 500),
    'deliveries of a webhook': (tx, { webhookId }) => webhookRemoval(tenantId, webhookId)(tx, 500),
    'instances of a holder application': (tx) => holderApplicationRemoval(tenantId, 'none')(tx, 500),
    'messages of an inbox': (tx) => inboxRemoval(tenantId, 'none')(tx, 500),
    'all that is in an ecosystem': async (tx) => {
      for (const removal of ecosystemRemovals(tenantId, 'none')) await removal(tx, 500)
    },
    'deliveries that are due': (tx, { webhookId }) => takeDueDeliveries(tx, { tenantId, webhookId }, later, 500),
    'lines of messages that are due': (tx) => takeDueLines(tx, tenantId, later, 500),
    'lines of messages whose jobs were lost': (tx) => freeQueuedLines(tx, later, 500),
    'deliveries whose jobs were lost': (tx) => freeQueuedDeliveries(tx, later, 500),
    'all that a user has': (tx, { userId }, terms) => eraseUser(tx, tenantId, userId, new Date(), terms),
  }
  for (const aging of agingTables) {
    works[`what is old of ${getTableName(aging.table)}`] = (tx) => purgeAged(aging)(tx, later, 500)
  }

  for (const walk of ownerWalks) {
    works[`owners with old ${getTableName(walk.table)}`] = (tx) => walk.page(tx, '0', later, 500)
  }

  test.each(Object.keys(works))('%s', async (name) => {
    const plans = await withUserTerms([], (terms) =>
      plansOf(data.url, async (tx) => works[name]?.(tx, data.held, terms)),
    )
    expect(plans.length).toBeGreaterThan(0)
    // Of webhooks a tenant has few.
    expect(scansIn(plans.filter((plan) => !plan.startsWith('select "id" from "webhooks"')))).toEqual([])
  })

  test('webhooks with due deliveries', async () => {
    const plans = await plansOf(data.url, (tx) => findDueWebhooks(tx, later, 500))
    expect(plans).toHaveLength(1)
    // The list of webhooks that the query itself makes is scanned.
    expect(plans[0]).not.toMatch(/SCAN (deliveries|earliest|webhooks)|Seq Scan/)
  })

  test('the oldest expired row of each table', async () => {
    const plans = await plansOf(data.url, (tx) => findOldestExpired(tx, later))
    expect(plans).toHaveLength(1)
    // The one row that the query begins with is scanned.
    expect(plans[0]).not.toMatch(/SCAN (?!one_row|CONSTANT|\()|Seq Scan/)
  })

  test('tenants with due queues of messages', async () => {
    const plans = await plansOf(data.url, (tx) => findDueSenders(tx, later, 500))
    expect(plans).toHaveLength(1)
    expect(plans[0]).not.toMatch(/SCAN (outgoing_lines|earliest)|Seq Scan/)
  })

  test('all rows of a tenant', async () => {
    const plans = await plansOf(data.url, async (tx) => {
      for (const removal of tenantRemovals(tenantId)) await removal(tx, 500)
    })
    expect(plans.length).toBeGreaterThan(retentionRules.filter(({ tenant }) => tenant).length)
    expect(wholeScansIn(plans)).toEqual([])
  })
})
