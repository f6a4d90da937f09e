import { z } from 'zod'
import { type DeliveryRow, findDelivery, listDeliveries } from '../../../db/repos/operations/webhooks/deliveries.ts'
import type { WebhookRow } from '../../../db/repos/operations/webhooks/webhooks.ts'
import { notFound } from '../../../shared/errors/errors.ts'
import type { Collection } from '../../http/collection.ts'
import { listOf } from '../../http/crud.ts'
import { idOf } from '../../http/fields.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { attemptRequest } from './attempt-request.ts'
import { getWebhook, getWebhookOrListener } from './get-webhook.ts'
import { presentDelivery } from './present.ts'
import { replayDelivery, replaySince, sendTestEvent } from './queue-delivery.ts'
import { AttemptRequestView, DeliveriesQuery, DeliveryView, Replay, ReplayView } from './schemas.ts'

const Params = z.object({ webhookId: idOf('webhook') })
const access = operators('admin', 'issuer', 'managed-issuer')

const deliveries: Collection<DeliveryRow & { webhook?: WebhookRow }, typeof Params> = {
  tag: 'Webhooks',
  access,
  path: '/v1/webhooks/:webhookId/deliveries',
  within: Params,
  id: 'deliveryId',
  events: 'WEBHOOK_DELIVERY',
  view: DeliveryView,
  present: (row) => presentDelivery(row, row.webhook),
}

export const deliveryRoutes = [
  listOf(deliveries, {
    operation: 'retrieveWebhookDeliveries',
    summary: 'List the deliveries of a webhook',
    query: DeliveriesQuery,
    problems: ['not_found'],
    async rows({ tenantId, params, query: { status, ...page }, deps }) {
      const webhook = await getWebhookOrListener(deps.db.read, tenantId, params.webhookId)
      const rows = await listDeliveries(deps.db.read, tenantId, webhook.id, { state: status, ...page })
      return rows.map((row) => ({ ...row, webhook }))
    },
  }),
  defineRoute({
    operation: 'retrieveWebhookAttempt',
    summary: 'Retrieve the request of an attempt: headers, signature base and body',
    tag: 'Webhooks',
    method: 'GET',
    path: '/v1/webhooks/:webhookId/deliveries/:deliveryId/attempts/:attemptId',
    access,
    event: 'WEBHOOK_ATTEMPT_RETRIEVE',
    params: Params.extend({ deliveryId: idOf('delivery'), attemptId: idOf('attempt') }),
    status: 200,
    response: AttemptRequestView,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params: { webhookId, deliveryId, attemptId }, deps }) {
      const webhook = await getWebhookOrListener(deps.db.read, tenantId, webhookId)
      const delivery = await findDelivery(deps.db.read, tenantId, webhook.id, deliveryId)
      if (!delivery) throw notFound('deliveryId', deliveryId)
      const attempt = delivery.attempts.find(({ id }) => id === attemptId)
      if (!attempt) throw notFound('attemptId', attemptId)
      return attemptRequest(deps, delivery, attempt)
    },
  }),
  defineRoute({
    operation: 'testWebhook',
    summary: 'Send a test event to a webhook',
    tag: 'Webhooks',
    method: 'POST',
    path: '/v1/webhooks/:webhookId/test',
    access,
    event: 'WEBHOOK_TEST',
    params: Params,
    status: 202,
    response: DeliveryView,
    problems: ['bad_request', 'not_found', 'conflict'],
    async handle(call) {
      const webhook = await getWebhookOrListener(call.deps.db.read, call.tenantId, call.params.webhookId)
      return sendTestEvent(call, webhook)
    },
  }),
  defineRoute({
    operation: 'replayWebhookDeliveries',
    summary: 'Repeat the deliveries since a time, up to 1,000 per request',
    tag: 'Webhooks',
    method: 'POST',
    path: '/v1/webhooks/:webhookId/replay',
    access,
    event: 'WEBHOOK_REPLAY',
    params: Params,
    body: Replay,
    status: 202,
    response: ReplayView,
    problems: ['bad_request', 'not_found', 'conflict'],
    async handle(call) {
      const webhook = await getWebhook(call.deps.db.read, call.tenantId, call.params.webhookId)
      return replaySince(call, webhook, call.body)
    },
  }),
  defineRoute({
    operation: 'replayWebhookDelivery',
    summary: 'Repeat a delivery',
    tag: 'Webhooks',
    method: 'POST',
    path: '/v1/webhooks/:webhookId/deliveries/:deliveryId/replay',
    access,
    event: 'WEBHOOK_DELIVERY_REPLAY',
    params: Params.extend({ deliveryId: idOf('delivery') }),
    status: 202,
    response: DeliveryView,
    problems: ['bad_request', 'not_found', 'conflict'],
    async handle(call) {
      const { tenantId, params, deps } = call
      const webhook = await getWebhook(deps.db.read, tenantId, params.webhookId)
      const delivery = await findDelivery(deps.db.read, tenantId, webhook.id, params.deliveryId)
      if (!delivery) throw notFound('deliveryId', params.deliveryId)
      return replayDelivery(call, webhook, delivery)
    },
  }),
]
