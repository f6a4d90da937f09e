import { and, asc, eq, isNotNull, or, sql } from 'drizzle-orm'
import type { Reader } from '../../../client.ts'
import { deliveries } from '../../../tables/operations/deliveries.ts'
import { webhooks } from '../../../tables/operations/webhooks.ts'

export interface TroubledWebhook {
  id: string
  url: string
  disabled: boolean
  failures: number
  failingSince: Date | null
  pausedUntil: Date | null
  /** The creation time of the oldest pending delivery. */
  waitingSince: Date | null
}

/** Returns webhooks of the tenant that are disabled, fail, or have had a pending delivery since `before`. */
export async function findTroubledWebhooks(
  db: Reader,
  tenantId: string,
  before: Date,
  limit: number,
): Promise<TroubledWebhook[]> {
  const oldest = db
    .select({ at: deliveries.createdAt })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.tenantId, webhooks.tenantId),
        eq(deliveries.state, 'pending'),
        // The condition of the index on undelivered rows.
        sql`${deliveries.state} <> 'delivered'`,
        eq(deliveries.webhookId, webhooks.id),
      ),
    )
    .orderBy(asc(deliveries.createdAt))
    .limit(1)
  const isLate = sql`(${oldest}) <= ${sql.param(before, deliveries.createdAt)}`
  return db
    .select({
      id: webhooks.id,
      url: webhooks.url,
      disabled: webhooks.disabled,
      failures: webhooks.failures,
      failingSince: webhooks.failingSince,
      pausedUntil: webhooks.pausedUntil,
      // A disabled webhook has no pending deliveries, although some rows may still say so.
      waitingSince: sql<Date | null>`case when ${webhooks.disabled} then null else (${oldest}) end`
        .mapWith(deliveries.createdAt)
        .as('waiting_since'),
    })
    .from(webhooks)
    .where(
      and(eq(webhooks.tenantId, tenantId), or(eq(webhooks.disabled, true), isNotNull(webhooks.failingSince), isLate)),
    )
    .orderBy(asc(webhooks.createdAt), asc(webhooks.id))
    .limit(limit)
}
