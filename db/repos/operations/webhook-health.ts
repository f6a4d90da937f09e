import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { param, paramOf, prepared } from '../../engine/prepared.ts'
import { webhooks } from '../../tables/operations/webhooks.ts'

const healthy = { failures: 0, failingSince: null, pausedUntil: null }

const succeeded = prepared('webhook_succeeded', (tx) =>
  tx
    .update(webhooks)
    .set(healthy)
    .where(
      and(inRow(webhooks.tenantId, param('tenantId')), eq(webhooks.id, param('id')), isNotNull(webhooks.failingSince)),
    ),
)

/** The receiver took a delivery, or the webhook leads elsewhere now: earlier failures do not count any more. */
export async function forgetFailures(tx: Writer, tenantId: string, id: string): Promise<void> {
  await succeeded(tx, { tenantId, id })
}

export interface Failing {
  generation: number
  disabled: boolean
  failures: number
  failingSince: Date | null
  pausedUntil: Date | null
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
      pausedUntil: webhooks.pausedUntil,
    }),
)

/** Counts attempts that failed. What there are now, held until the transaction ends; undefined when there is no webhook. */
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

/** Nothing is attempted at the webhook before `until`. */
export async function pauseWebhook(tx: Writer, tenantId: string, id: string, until: Date): Promise<void> {
  await tx
    .update(webhooks)
    .set({ pausedUntil: until })
    .where(and(inRow(webhooks.tenantId, tenantId), eq(webhooks.id, id)))
}

/** Disables a webhook. Returns false if it was disabled already or is gone. */
export async function disableWebhook(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  const rows = await tx
    .update(webhooks)
    .set({ disabled: true })
    .where(and(inRow(webhooks.tenantId, tenantId), eq(webhooks.id, id), eq(webhooks.disabled, false)))
    .returning({ id: webhooks.id })
  return rows.length === 1
}
