import { and, asc, eq, gte, inArray, lt, ne, or, sql } from 'drizzle-orm'
import type { Writer } from '../../../client.ts'
import { afterCursor, type Cursor } from '../../../page.ts'
import { type DeliveryState, deliveries } from '../../../tables/operations/deliveries.ts'
import { webhooks } from '../../../tables/operations/webhooks.ts'

export interface Replayed {
  /** The generation of the webhook. */
  generation: number
  /** Deliveries that were created at this time or later. */
  since: Date
  /** Deliveries in this state. Absent: all that have ended. */
  state?: Exclude<DeliveryState, 'pending'> | undefined
  /** Deliveries after this cursor. */
  cursor?: Cursor | undefined
  limit: number
}

/**
 * Restarts the schedule of ended deliveries of a webhook, oldest first. They become due immediately. A pending delivery
 * of an earlier generation counts as ended. Returns the restarted deliveries. Fewer than `limit` means that no more are
 * left.
 */
export async function restartDeliveries(
  tx: Writer,
  tenantId: string,
  webhookId: string,
  { generation, since, state, cursor, limit }: Replayed,
  at: Date,
): Promise<Cursor[]> {
  const ofWebhook = and(eq(deliveries.tenantId, tenantId), eq(deliveries.webhookId, webhookId))
  const isSuperseded = and(eq(deliveries.state, 'pending'), lt(deliveries.generation, generation))
  const hasEnded = or(ne(deliveries.state, 'pending'), isSuperseded)
  const isWanted =
    state === 'failed' ? or(eq(deliveries.state, state), isSuperseded) : state ? eq(deliveries.state, state) : hasEnded
  // The condition of the index on undelivered rows.
  const indexed = state === 'failed' ? sql`${deliveries.state} <> 'delivered'` : undefined
  const chosen = await tx
    .select({ id: deliveries.id, at: deliveries.createdAt })
    .from(deliveries)
    .where(
      and(
        ofWebhook,
        isWanted,
        indexed,
        gte(deliveries.createdAt, since),
        afterCursor(deliveries.createdAt, deliveries.id, cursor),
      ),
    )
    .orderBy(asc(deliveries.createdAt), asc(deliveries.id))
    .limit(limit)
  if (chosen.length === 0) return []
  const ids = chosen.map(({ id }) => id)
  await tx
    .update(deliveries)
    .set({ state: 'pending', generation, attemptsMade: 0, nextAttemptAt: at, queuedUntil: null })
    // Another request may have restarted some of them since they were read.
    .where(and(ofWebhook, inArray(deliveries.id, ids), hasEnded))
  return chosen
}

/** Ends the pause of a webhook. The webhook is paused again if it fails again. */
export async function endPause(tx: Writer, tenantId: string, id: string): Promise<void> {
  await tx
    .update(webhooks)
    .set({ pausedUntil: null })
    .where(and(eq(webhooks.tenantId, tenantId), eq(webhooks.id, id)))
}
