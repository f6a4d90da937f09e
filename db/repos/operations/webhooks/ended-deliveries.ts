import { and, asc, eq, inArray, lt, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../../client.ts'
import { inRow } from '../../../columns.ts'
import { addToOutbox, isInOutbox } from '../../../outbox.ts'
import { afterCursor, type Cursor } from '../../../page.ts'
import { deliveries } from '../../../tables/operations/deliveries.ts'
import { webhooks } from '../../../tables/operations/webhooks.ts'
import { undelivered } from './deliveries.ts'

/** The number of deliveries that end in the transaction that disables a webhook. A job ends the others. */
const maxAtOnce = 500

export interface Superseded {
  webhookId: string
  /** Pending deliveries of earlier generations end. */
  generation: number
}

/** Returns the id of the outbox row that exists while deliveries of earlier generations are left. */
export function endingId({ webhookId, generation }: Superseded): string {
  return `${webhookId}-${generation}`
}

/**
 * Ends the pending deliveries of a webhook that is being disabled. Ends the first ones itself, and adds a job for any
 * others. They are not attempted in the meantime. They can be replayed after the webhook is enabled. The caller holds
 * the webhook. Returns its new generation.
 */
export async function endDeliveriesOf(tx: Writer, tenantId: string, webhookId: string, at: Date): Promise<number> {
  const [row] = await tx
    .update(webhooks)
    .set({ generation: sql`${webhooks.generation} + 1` })
    .where(and(inRow(webhooks.tenantId, tenantId), eq(webhooks.id, webhookId)))
    .returning({ generation: webhooks.generation })
  if (!row) return 0
  const superseded = { webhookId, generation: row.generation }
  const next = await endSupersededDeliveries(tx, tenantId, superseded, undefined, maxAtOnce)
  if (next) {
    const entry = { id: endingId(superseded), payload: { tenantId, ...superseded } }
    await addToOutbox(tx, 'endDeliveries', [entry], at)
  }
  return row.generation
}

/**
 * Reads up to `limit` pending deliveries of a webhook after the cursor, and ends those of earlier generations. Returns
 * the next cursor, or undefined if none is left.
 */
export async function endSupersededDeliveries(
  tx: Writer,
  tenantId: string,
  { webhookId, generation }: Superseded,
  cursor: Cursor | undefined,
  limit: number,
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
    .limit(limit)
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
  return rows.length < limit ? undefined : rows.at(-1)
}

/** Returns whether the job of `endDeliveriesOf` still has deliveries to end. */
export async function areDeliveriesEnding(db: Reader, superseded: Superseded): Promise<boolean> {
  return isInOutbox(db, endingId(superseded))
}
