import { z } from 'zod'
import { findDelivery, listDeliveries } from '../../../db/repos/operations/deliveries.ts'
import { notFound } from '../../../shared/errors.ts'
import { Uuid } from '../../http/fields.ts'
import { pageOf, toPage } from '../../http/page.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { getWebhook } from './get-webhook.ts'
import { presentDelivery } from './present.ts'
import { replayDelivery, sendTestEvent } from './queue-delivery.ts'
import { DeliveriesQuery, DeliveryView } from './schemas.ts'

const Params = z.object({ webhookId: Uuid })
const access = operators('admin', 'issuer', 'managed-issuer')

export const deliveryRoutes = [
  defineRoute({
    operation: 'retrieveWebhookDeliveries',
    summary: 'List the deliveries of a webhook',
    tag: 'Webhooks',
    method: 'GET',
    path: '/v1/webhooks/:webhookId/deliveries',
    access,
    event: 'WEBHOOK_DELIVERY_RETRIEVE_LIST',
    params: Params,
    query: DeliveriesQuery,
    status: 200,
    response: pageOf(DeliveryView),
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params, query, deps }) {
      const webhook = await getWebhook(deps.db.read, tenantId, params.webhookId)
      const { status, limit, cursor } = query
      const rows = await listDeliveries(deps.db.read, tenantId, webhook.id, status, limit, cursor)
      return toPage(
        rows,
        limit,
        (row) => ({ at: row.createdAt, id: row.id }),
        (row) => presentDelivery(row, webhook),
      )
    },
  }),
  defineRoute({
    operation: 'replayWebhookDelivery',
    summary: 'Send the event of a delivery once more',
    tag: 'Webhooks',
    method: 'POST',
    path: '/v1/webhooks/:webhookId/deliveries/:deliveryId/replay',
    access,
    event: 'WEBHOOK_DELIVERY_REPLAY',
    params: Params.extend({ deliveryId: Uuid }),
    status: 202,
    response: DeliveryView,
    problems: ['bad_request', 'not_found', 'conflict'],
    async handle({ tenantId, params, deps }) {
      const webhook = await getWebhook(deps.db.read, tenantId, params.webhookId)
      const delivery = await findDelivery(deps.db.read, tenantId, webhook.id, params.deliveryId)
      if (!delivery) throw notFound('deliveryId', params.deliveryId)
      return presentDelivery(await replayDelivery(deps, webhook, delivery), { pausedUntil: null })
    },
  }),
  defineRoute({
    operation: 'testWebhook',
    summary: 'Send a test event, about nobody, to a webhook',
    tag: 'Webhooks',
    method: 'POST',
    path: '/v1/webhooks/:webhookId/test',
    access,
    event: 'WEBHOOK_TEST',
    params: Params,
    status: 202,
    response: DeliveryView,
    problems: ['bad_request', 'not_found', 'conflict'],
    async handle({ tenantId, params, deps }) {
      const webhook = await getWebhook(deps.db.read, tenantId, params.webhookId)
      return presentDelivery(await sendTestEvent(deps, webhook), { pausedUntil: null })
    },
  }),
]
