import { eq } from 'drizzle-orm'
import { webhooks } from '../../db/tables/operations/webhooks.ts'
import { outbox } from '../../db/tables/outbox.ts'
import type { Receiver } from '../servers/receiver.ts'
import { eventually, type Service, type TestTenant } from './harness.ts'
import { runNow } from './run-now.ts'

/** Creates a webhook. Returns its path. */
export async function newWebhook(tenant: TestTenant, { url }: Receiver, events: readonly string[]): Promise<string> {
  const { status, body } = await tenant.operator.post('/v1/webhooks', { events, url })
  if (status !== 201) throw new Error(`webhook: ${status} ${JSON.stringify(body)}`)
  return `/v1/webhooks/${body.id}`
}

/** Runs the job that finds events which no request causes, and waits until they have left the outbox. */
export async function findTimedEventsNow({ deps }: Service): Promise<void> {
  await runNow(deps.bus, 'findTimedEvents')
  await eventually(async () => (await deps.db.read.$count(outbox)) === 0)
}

/** Returns the time until which the events of a webhook were found. */
export async function foundUntil({ deps }: Service, path: string): Promise<Date | null> {
  const [row] = await deps.db.read
    .select()
    .from(webhooks)
    .where(eq(webhooks.id, path.split('/').at(-1) ?? ''))
  if (!row) throw new Error('the webhook does not exist')
  return row.foundUntil
}
