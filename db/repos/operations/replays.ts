import { and, asc, eq, gte, inArray, lt, ne, or, sql } from 'drizzle-orm'
import type { Writer } from '../../client.ts'
import { afterCursor, type Cursor } from '../../page.ts'
import { type DeliveryState, deliveries } from '../../tables/operations/deliveries.ts'
import { webhooks } from '../../tables/operations/webhooks.ts'

export interface Replayed {
  /** The webhook's. */
  generation: number
  /** Those that were made then or later. */
  since: Date
  /** Those in this state; absent: all that have ended. */
  state?: Exclude<DeliveryState, 'pending'> | undefined
  /** Behind this one. */
  cursor?: Cursor | undefined
  most: number
}

/**
 * Restarts the schedule of ended deliveries of a webhook, the oldest first. They become due at once. A pending delivery of an earlier
 * generation has ended, whatever its row still says. Returns the restarted deliveries. Fewer than `most` means that no more are left.
 */
export async function restartDeliveries(
  tx: Writer,
  tenantId: string,
  webhookId: string,
  { generation, since, state, cursor, most }: Replayed,
  at: Date,
): Promise<Cursor[]> {
  const ofWebhook = and(eq(deliveries.tenantId, tenantId), eq(deliveries.webhookId, webhookId))
  const isSuperseded = and(eq(deliveries.state, 'pending'), lt(deliveries.generation, generation))
  const hasEnded = or(ne(deliveries.state, 'pending'), isSuperseded)
  const isWanted =
    state === 'failed' ? or(eq(deliveries.state, state), isSuperseded) : state ? eq(deliveries.state, state) : hasEnded
  // As the index on what is not delivered has it.
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
    .limit(most)
  if (chosen.length === 0) return []
  const ids = chosen.map(({ id }) => id)
  await tx
    .update(deliveries)
    .set({ state: 'pending', generation, attemptsMade: 0, nextAttemptAt: at, queuedUntil: null })
    // Another request may have restarted some of them since they were read.
    .where(and(ofWebhook, inArray(deliveries.id, ids), hasEnded))
  return chosen
}

/** Lets a webhook be tried at once, whatever has failed; one that fails again pauses again. */
export async function endPause(tx: Writer, tenantId: string, id: string): Promise<void> {
  await tx
    .update(webhooks)
    .set({ pausedUntil: null })
    .where(and(eq(webhooks.tenantId, tenantId), eq(webhooks.id, id)))
}
