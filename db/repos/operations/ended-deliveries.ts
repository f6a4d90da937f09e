import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { addToOutbox, isInOutbox } from '../../outbox.ts'
import { afterCursor, type Cursor } from '../../page.ts'
import { deliveries } from '../../tables/operations/deliveries.ts'
import { webhooks } from '../../tables/operations/webhooks.ts'
import { undelivered } from './deliveries.ts'

/** How many deliveries the transaction ends that disables a webhook. A job ends the others. */
const mostAtOnce = 500

export interface Superseded {
  webhookId: string
  /** The pending deliveries of earlier generations end. */
  generation: number
}

/** The id of the outbox row that is there while deliveries of earlier generations are left. */
export function endingId({ webhookId, generation }: Superseded): string {
  return `${webhookId}-${generation}`
}

/**
 * Ends the pending deliveries of a webhook that is being disabled. They can be replayed once it is enabled. The first ones end here. Where
 * there are more, a job of the outbox ends them in batches, and no attempt is made meanwhile. The caller holds the webhook. Returns the
 * webhook's new generation.
 */
export async function endDeliveriesOf(tx: Writer, tenantId: string, webhookId: string, at: Date): Promise<number> {
  const [row] = await tx
    .update(webhooks)
    .set({ generation: sql`${webhooks.generation} + 1` })
    .where(and(inRow(webhooks.tenantId, tenantId), eq(webhooks.id, webhookId)))
    .returning({ generation: webhooks.generation })
  if (!row) return 0
  const superseded = { webhookId, generation: row.generation }
  const next = await endSupersededDeliveries(tx, tenantId, superseded, undefined, mostAtOnce)
  if (next) {
    const entry = { id: endingId(superseded), payload: { tenantId, ...superseded } }
    await addToOutbox(tx, 'endDeliveries', [entry], at)
  }
  return row.generation
}

/**
 * Reads up to `most` pending deliveries of a webhook behind the cursor, and ends those of earlier generations. Returns the cursor to go on
 * from, or undefined when these were the last.
 */
export async function endSupersededDeliveries(
  tx: Writer,
  tenantId: string,
  { webhookId, generation }: Superseded,
  cursor: Cursor | undefined,
  most: number,
): Promise<Cursor | undefined> {
  const { id, createdAt, state } = deliveries
  const pending = and(
    eq(deliveries.tenantId, tenantId),
    eq(deliveries.webhookId, webhookId),
    eq(state, 'pending'),
    undelivered,
  )
  const rows = await tx
    .select({ id, at: createdAt, generation: deliveries.generation })
    .from(deliveries)
    .where(and(pending, afterCursor(createdAt, id, cursor)))
    .orderBy(asc(createdAt), asc(id))
    .limit(most)
  const ids = rows.filter((row) => row.generation < generation).map((row) => row.id)
  if (ids.length > 0) {
    await tx
      .update(deliveries)
      .set({ state: 'failed', nextAttemptAt: null, queuedUntil: null })
      .where(
        and(
          inRow(deliveries.tenantId, tenantId),
          inArray(id, ids),
          eq(state, 'pending'),
          lt(deliveries.generation, generation),
        ),
      )
  }
  return rows.length < most ? undefined : rows.at(-1)
}

/** Whether deliveries are left that ended when the webhook was disabled, and whose rows do not say so yet. */
export async function areDeliveriesEnding(db: Reader, superseded: Superseded): Promise<boolean> {
  return isInOutbox(db, endingId(superseded))
}
