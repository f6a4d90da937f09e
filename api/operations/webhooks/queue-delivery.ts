import type { Writer } from '../../../db/client.ts'
import { hold, holdShared } from '../../../db/hold.ts'
import { addToOutbox } from '../../../db/outbox.ts'
import {
  type DeliveryRow,
  deliveryJob,
  insertDeliveries,
  newDelivery,
  restartDelivery,
} from '../../../db/repos/operations/webhooks/deliveries.ts'
import { areDeliveriesEnding } from '../../../db/repos/operations/webhooks/ended-deliveries.ts'
import { endPause, restartDeliveries } from '../../../db/repos/operations/webhooks/replays.ts'
import type { WebhookRow } from '../../../db/repos/operations/webhooks/webhooks.ts'
import { webhooks } from '../../../db/tables/operations/webhooks.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import { newId } from '../../../shared/ids.ts'
import { tracing } from '../../../shared/tracing/tracing.ts'
import type { OperatorCall } from '../../http/idempotency.ts'
import { writeCursor } from '../../http/page.ts'
import { presentDelivery } from './present.ts'
import type { Replay } from './schemas.ts'

type Queueing = Pick<OperatorCall, 'deps' | 'commitAnswer'>

/** Repeats a delivery. A pending delivery stays as it is. */
export async function replayDelivery(call: Queueing, webhook: WebhookRow, delivery: DeliveryRow) {
  return queue(
    call,
    webhook,
    (tx, { generation }, at) => restartDelivery(tx, webhook.tenantId, delivery.id, generation, at),
    delivery,
  )
}

/** Sends a test event of the first type of the webhook through the queue of all deliveries. */
export async function sendTestEvent(call: Queueing, webhook: WebhookRow) {
  const { clock } = call.deps
  const [kind = 'OpenIdCredentialIssuedSummary'] = webhook.events
  const at = clock.now()
  const { id: webhookId, tenantId } = webhook
  const event = { subjectKind: 'test', objectId: null, eventId: newId(), kind, eventAt: at } as const
  const traceparent = tracing?.traceparent() ?? null
  const delivery = newDelivery({ tenantId, webhookId, ...event, traceparent }, at)
  return queue(
    call,
    webhook,
    async (tx, { generation }) => {
      const made = { ...delivery, generation }
      await insertDeliveries(tx, [made])
      return made
    },
    delivery,
  )
}

const maxReplayed = 1_000

/** Queues ended deliveries again. Ends a pause of the webhook. */
export async function replaySince(
  { deps: { db, clock }, commitAnswer }: Queueing,
  webhook: WebhookRow,
  { since, status, cursor }: Replay,
) {
  const { tenantId, id } = webhook
  return db.tx(async (tx) => {
    const { generation } = requireEnabled(await hold(tx, webhooks, tenantId, id), id)
    if (await areDeliveriesEnding(tx, { webhookId: id, generation }))
      throw new Problem('conflict', { message: stillEnding })
    await endPause(tx, tenantId, id)
    const chosen = { generation, since: new Date(since), state: status, cursor, limit: maxReplayed }
    const replayed = await restartDeliveries(tx, tenantId, id, chosen, clock.now())
    const last = replayed[maxReplayed - 1]
    const view = { replayed: replayed.length, ...(last && { nextCursor: writeCursor(last) }) }
    await commitAnswer(tx, view)
    return view
  })
}

const stillEnding = 'The service is still ending the deliveries of the disabled webhook. Try again in a few seconds.'

function requireEnabled(webhook: WebhookRow | undefined, id: string): WebhookRow {
  if (!webhook) throw notFound('webhookId', id)
  if (webhook.disabled) throw new Problem('conflict', { message: 'The webhook is disabled. Enable it first.' })
  return webhook
}

/** Queues a pending delivery. Returns the view of the delivery. */
async function queue(
  { deps: { db, bus, clock }, commitAnswer }: Queueing,
  webhook: WebhookRow,
  makePending: (tx: Writer, webhook: WebhookRow, at: Date) => Promise<DeliveryRow | undefined>,
  otherwise: DeliveryRow,
): Promise<ReturnType<typeof presentDelivery>> {
  const queued = await db.tx(async (tx) => {
    const held = requireEnabled(await holdShared(tx, webhooks, webhook.tenantId, webhook.id), webhook.id)
    const delivery = await makePending(tx, held, clock.now())
    if (delivery) await addToOutbox(tx, 'deliverWebhooks', [deliveryJob(delivery, { despitePause: true })], clock.now())
    const view = presentDelivery(delivery ?? otherwise)
    await commitAnswer(tx, view)
    return view
  })
  bus.poke()
  return queued
}
