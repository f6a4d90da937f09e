import { and, eq, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import type { Writer } from '../../../client.ts'
import { inRow } from '../../../columns.ts'
import { param, paramOf, prepared } from '../../../engine/prepared.ts'
import { webhooks } from '../../../tables/operations/webhooks.ts'

const healthy = { failures: 0, failingSince: null, pausedUntil: null }

const succeeded = prepared('webhook_succeeded', (tx) =>
  tx
    .update(webhooks)
    .set(healthy)
    .where(
      and(inRow(webhooks.tenantId, param('tenantId')), eq(webhooks.id, param('id')), isNotNull(webhooks.failingSince)),
    ),
)

/** Resets the failures of a webhook after a successful delivery or a change of its URL. */
export async function forgetFailures(tx: Writer, tenantId: string, id: string): Promise<void> {
  await succeeded(tx, { tenantId, id })
}

export interface Failing {
  generation: number
  disabled: boolean
  failures: number
  failingSince: Date | null
}

const failed = prepared('webhook_failed', (tx) =>
  tx
    .update(webhooks)
    .set({
      failures: sql`${webhooks.failures} + ${sql.placeholder('count')}`,
      failingSince: sql`coalesce(${webhooks.failingSince}, ${paramOf(webhooks.failingSince, 'at')})`,
    })
    .where(and(inRow(webhooks.tenantId, param('tenantId')), eq(webhooks.id, param('id'))))
    .returning({
      generation: webhooks.generation,
      disabled: webhooks.disabled,
      failures: webhooks.failures,
      failingSince: webhooks.failingSince,
    }),
)

/**
 * Counts failed attempts. Returns the health of the webhook, locked until the transaction ends. Returns undefined if it
 * does not exist.
 */
export async function countFailures(
  tx: Writer,
  tenantId: string,
  id: string,
  count: number,
  at: Date,
): Promise<Failing | undefined> {
  const [row] = await failed(tx, { tenantId, id, count, at })
  return row
}

/** Pauses a webhook until a time. */
export async function pauseWebhook(tx: Writer, tenantId: string, id: string, until: Date): Promise<void> {
  await tx
    .update(webhooks)
    .set({ pausedUntil: until })
    .where(and(inRow(webhooks.tenantId, tenantId), eq(webhooks.id, id)))
}

/** Pauses a webhook if it is not paused at this time. Returns whether this call paused it. */
export async function pauseIfActive(tx: Writer, tenantId: string, id: string, at: Date, until: Date): Promise<boolean> {
  const isActive = or(isNull(webhooks.pausedUntil), lte(webhooks.pausedUntil, at))
  const paused = await tx
    .update(webhooks)
    .set({ pausedUntil: until })
    .where(and(inRow(webhooks.tenantId, tenantId), eq(webhooks.id, id), isActive))
    .returning({ id: webhooks.id })
  return paused.length === 1
}

/** Disables a webhook. Returns false if it is disabled already or does not exist. */
export async function disableWebhook(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  const rows = await tx
    .update(webhooks)
    .set({ disabled: true })
    .where(and(inRow(webhooks.tenantId, tenantId), eq(webhooks.id, id), eq(webhooks.disabled, false)))
    .returning({ id: webhooks.id })
  return rows.length === 1
}
