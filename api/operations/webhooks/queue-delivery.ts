import type { Writer } from '../../../db/client.ts'
import { hold, holdShared } from '../../../db/hold.ts'
import { addToOutbox } from '../../../db/outbox.ts'
import {
  type DeliveryRow,
  deliveryJob,
  insertDeliveries,
  newDelivery,
  restartDelivery,
} from '../../../db/repos/operations/deliveries.ts'
import { areDeliveriesEnding } from '../../../db/repos/operations/ended-deliveries.ts'
import { endPause, restartDeliveries } from '../../../db/repos/operations/replays.ts'
import type { WebhookRow } from '../../../db/repos/operations/webhooks.ts'
import { webhooks } from '../../../db/tables/operations/webhooks.ts'
import { notFound, Problem } from '../../../shared/errors.ts'
import { newId } from '../../../shared/ids.ts'
import { tracing } from '../../../shared/tracing/tracing.ts'
import type { Deps } from '../../deps.ts'
import { writeCursor } from '../../http/page.ts'
import type { Replay } from './schemas.ts'

/** Repeats a delivery. A pending delivery stays as it is. */
export async function replayDelivery(deps: Deps, webhook: WebhookRow, delivery: DeliveryRow): Promise<DeliveryRow> {
  return queue(
    deps,
    webhook,
    (tx, { generation }, at) => restartDelivery(tx, webhook.tenantId, delivery.id, generation, at),
    delivery,
  )
}

/** Sends a test event of the first type of the webhook through the queue of all deliveries. */
export async function sendTestEvent(deps: Deps, webhook: WebhookRow): Promise<DeliveryRow> {
  const [kind = 'OpenIdCredentialIssuedSummary'] = webhook.events
  const at = deps.clock.now()
  const { id: webhookId, tenantId } = webhook
  const event = { subjectKind: 'test', objectId: null, eventId: newId(), kind, eventAt: at } as const
  const traceparent = tracing?.traceparent() ?? null
  const delivery = newDelivery({ tenantId, webhookId, ...event, traceparent }, at)
  return queue(
    deps,
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
export async function replaySince({ db, clock }: Deps, webhook: WebhookRow, { since, status, cursor }: Replay) {
  const { tenantId, id } = webhook
  const replayed = await db.tx(async (tx) => {
    const { generation } = requireEnabled(await hold(tx, webhooks, tenantId, id), id)
    if (await areDeliveriesEnding(tx, { webhookId: id, generation }))
      throw new Problem('conflict', { message: stillEnding })
    await endPause(tx, tenantId, id)
    const chosen = { generation, since: new Date(since), state: status, cursor, limit: maxReplayed }
    return restartDeliveries(tx, tenantId, id, chosen, clock.now())
  })
  const last = replayed[maxReplayed - 1]
  return { replayed: replayed.length, ...(last && { nextCursor: writeCursor(last) }) }
}

const stillEnding = 'The service is still ending the deliveries of the disabled webhook. Try again in a few seconds.'

function requireEnabled(webhook: WebhookRow | undefined, id: string): WebhookRow {
  if (!webhook) throw notFound('webhookId', id)
  if (webhook.disabled) throw new Problem('conflict', { message: 'The webhook is disabled. Enable it first.' })
  return webhook
}

async function queue(
  { db, bus, clock }: Deps,
  webhook: WebhookRow,
  makePending: (tx: Writer, webhook: WebhookRow, at: Date) => Promise<DeliveryRow | undefined>,
  otherwise: DeliveryRow,
): Promise<DeliveryRow> {
  const queued = await db.tx(async (tx) => {
    const held = requireEnabled(await holdShared(tx, webhooks, webhook.tenantId, webhook.id), webhook.id)
    const delivery = await makePending(tx, held, clock.now())
    if (delivery) await addToOutbox(tx, 'deliverWebhooks', [deliveryJob(delivery, { despitePause: true })], clock.now())
    return delivery
  })
  bus.poke()
  return queued ?? otherwise
}
