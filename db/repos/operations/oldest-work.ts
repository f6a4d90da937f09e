import { and, asc, eq, isNotNull, isNull, ne, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Reader } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { ecosystemIntegrations as integrations } from '../../tables/ecosystems/integrations.ts'
import { issuances } from '../../tables/issuance/issuances.ts'
import { outgoingLines } from '../../tables/messaging/outgoing-lines.ts'
import { deliveries } from '../../tables/operations/deliveries.ts'
import { webhooks } from '../../tables/operations/webhooks.ts'
import { statusBulks } from '../../tables/status/bulks.ts'
import { statusChanges } from '../../tables/status/changes.ts'
import { statusLists } from '../../tables/status/lists.ts'
import { tenants } from '../../tables/tenancy/tenants.ts'

interface WorkQuery {
  db: Reader
  tenantId: string
}

/** Queries for the due time of the oldest work of each kind. Each reads the first entries of an index. */
const oldest = {
  issuance({ db, tenantId }: WorkQuery) {
    const { state, requestedAt } = issuances
    const requested = and(eq(state, 'requested'), inRow(issuances.tenantId, tenantId))
    return first(db.select({ requestedAt }).from(issuances).where(requested).orderBy(asc(requestedAt)).limit(1))
  },
  statusChange({ db, tenantId }: WorkQuery) {
    const { changedAt } = statusChanges
    const ofList = and(eq(statusChanges.tenantId, statusLists.tenantId), eq(statusChanges.listId, statusLists.id))
    const ofEach = db.select({ changedAt }).from(statusChanges).where(ofList).orderBy(asc(changedAt)).limit(1)
    return first(sql`select min((${ofEach})) from ${statusLists} where ${eq(statusLists.tenantId, tenantId)}`)
  },
  delivery({ db, tenantId }: WorkQuery) {
    const { nextAttemptAt, queuedUntil, webhookId } = deliveries
    // The condition of the index on deliveries that wait.
    const waiting = and(eq(webhookId, webhooks.id), isNotNull(nextAttemptAt), isNull(queuedUntil))
    const ofWebhook = and(waiting, inRow(deliveries.tenantId, webhooks.tenantId))
    const ofEach = db.select({ nextAttemptAt }).from(deliveries).where(ofWebhook).orderBy(asc(nextAttemptAt)).limit(1)
    const enabled = and(eq(webhooks.tenantId, tenantId), eq(webhooks.disabled, false))
    // No work is due for a paused webhook.
    const dueOfEach = sql`select ${webhooks.pausedUntil} as paused, (${ofEach}) as due from ${webhooks} where ${enabled}`
    return first(sql`select min(case when paused > due then paused else due end) from (${dueOfEach}) as of_each`)
  },
  message({ db, tenantId }: WorkQuery) {
    const { nextAttemptAt, queuedUntil } = outgoingLines
    const waiting = and(eq(outgoingLines.tenantId, tenantId), isNotNull(nextAttemptAt), isNull(queuedUntil))
    return first(db.select({ nextAttemptAt }).from(outgoingLines).where(waiting).orderBy(asc(nextAttemptAt)).limit(1))
  },
  bulk({ tenantId }: WorkQuery) {
    const left = and(eq(statusBulks.tenantId, tenantId), ne(statusBulks.state, 'done'))
    return first(sql`select min(${statusBulks.createdAt}) from ${statusBulks} where ${left}`)
  },
  integration({ tenantId }: WorkQuery) {
    const { nextSyncAt, createdAt, enabled } = integrations
    const ofTenant = and(eq(integrations.tenantId, tenantId), eq(enabled, true))
    return first(sql`select min(coalesce(${nextSyncAt}, ${createdAt})) from ${integrations} where ${ofTenant}`)
  },
} as const satisfies Record<string, (query: WorkQuery) => SQL<Date>>

export type WorkKind = keyof typeof oldest

/**
 * Returns since when the oldest work of each kind has been due for the tenant, in one query. A time in the future is
 * not due yet. Omits kinds without work.
 */
export async function findOldestWork(
  db: Reader,
  tenantId: string,
  kinds: readonly WorkKind[],
): Promise<{ work: WorkKind; since: Date }[]> {
  const fields = Object.fromEntries(kinds.map((each) => [each, oldest[each]({ db, tenantId }).as(each)]))
  const [row] = await db.select(fields).from(sql`(select 1) as one_row`)
  return kinds.flatMap((work) => {
    const since = row?.[work]
    return since ? [{ work, since }] : []
  })
}

/** Decodes a query for one time or null. */
function first(select: SQLWrapper): SQL<Date> {
  return sql<Date>`(${select})`.mapWith(tenants.createdAt)
}
