import { z } from 'zod'
import { hold } from '../../../db/hold.ts'
import { findPublishedKeys, tenantItself } from '../../../db/repos/identifiers/keys.ts'
import { endDeliveriesOf } from '../../../db/repos/operations/deliveries.ts'
import { forgetFailures } from '../../../db/repos/operations/webhook-health.ts'
import { deleteWebhook, insertWebhook, listWebhooks, updateWebhook } from '../../../db/repos/operations/webhooks.ts'
import { webhooks } from '../../../db/tables/operations/webhooks.ts'
import { changedFields } from '../../../shared/changed-fields.ts'
import { notFound, wrongField } from '../../../shared/errors.ts'
import { checkOutboundUrl } from '../../../shared/outbound/check-outbound-url.ts'
import { requireRoom } from '../../access/require-room.ts'
import { defineAuditedRoute } from '../../audit/define-audited-route.ts'
import type { Deps } from '../../deps.ts'
import { Uuid } from '../../http/fields.ts'
import { PageQuery, pageOf, toPage } from '../../http/page.ts'
import { anyone, defineRoute, operators } from '../../http/route.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { getWebhook } from './get-webhook.ts'
import { presentKey, presentWebhook } from './present.ts'
import { NewWebhook, WebhookKeySet, WebhookUpdate, WebhookView } from './schemas.ts'

const Params = z.object({ webhookId: Uuid })
const access = operators('admin', 'issuer', 'managed-issuer')

function requireCallable(deps: Deps, url: string): void {
  const refusal = checkOutboundUrl(url, { allowLoopback: deps.config.outboundAllowLoopback })
  if (refusal) throw wrongField('url', refusal, url)
}

export const webhookRoutes = [
  ...deliveryRoutes,
  // Credentials are sent to these addresses.
  defineAuditedRoute({
    operation: 'createWebhook',
    summary: 'Create a webhook',
    tag: 'Webhooks',
    method: 'POST',
    path: '/v1/webhooks',
    access,
    event: 'WEBHOOK_CREATE',
    body: NewWebhook,
    status: 201,
    response: WebhookView,
    problems: ['bad_request', 'conflict'],
    async handle({ tenantId, body, deps, change }) {
      requireCallable(deps, body.url)
      const row = await change(async (tx, tell) => {
        await requireRoom(tx, tenantId, 'webhooks')
        const created = await insertWebhook(tx, tenantId, body, deps.clock.now())
        tell(tenantId, { id: created.id })
        return created
      })
      return presentWebhook(row)
    },
  }),
  defineRoute({
    operation: 'retrieveWebhooks',
    summary: 'List the webhooks',
    tag: 'Webhooks',
    method: 'GET',
    path: '/v1/webhooks',
    access,
    event: 'WEBHOOK_RETRIEVE_LIST',
    query: PageQuery,
    status: 200,
    response: pageOf(WebhookView),
    problems: ['bad_request'],
    async handle({ tenantId, query, deps }) {
      const rows = await listWebhooks(deps.db.read, tenantId, query.limit, query.cursor)
      return toPage(rows, query.limit, (row) => ({ at: row.createdAt, id: row.id }), presentWebhook)
    },
  }),
  defineRoute({
    operation: 'retrieveWebhookKeys',
    summary: 'The keys that verify the signatures of webhook requests',
    tag: 'Webhooks',
    method: 'GET',
    path: '/v1/webhooks/jwks',
    access: anyone,
    status: 200,
    response: WebhookKeySet,
    // Short: a new key signs at once, and a receiver that does not find it asks again.
    cacheControl: 'public, max-age=60',
    async handle({ tenantId, deps }) {
      const keys = await findPublishedKeys(deps.db.read, tenantId, tenantItself, 'webhook', deps.clock.now())
      return { keys: keys.map(presentKey) }
    },
  }),
  defineRoute({
    operation: 'retrieveWebhook',
    summary: 'Retrieve a webhook',
    tag: 'Webhooks',
    method: 'GET',
    path: '/v1/webhooks/:webhookId',
    access,
    event: 'WEBHOOK_RETRIEVE',
    params: Params,
    status: 200,
    response: WebhookView,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params, deps }) {
      return presentWebhook(await getWebhook(deps.db.read, tenantId, params.webhookId))
    },
  }),
  defineAuditedRoute({
    operation: 'updateWebhook',
    summary: 'Change a webhook; one that was disabled can be enabled again',
    tag: 'Webhooks',
    method: 'PUT',
    path: '/v1/webhooks/:webhookId',
    access,
    event: 'WEBHOOK_UPDATE',
    params: Params,
    body: WebhookUpdate,
    status: 200,
    response: WebhookView,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params, body, deps, change }) {
      requireCallable(deps, body.url)
      const { events, url, disabled } = body
      const changes = { events, url, ...(disabled === undefined ? {} : { disabled }) }
      const updated = await change(async (tx, tell) => {
        // Whoever queues a delivery shares it: one that is being queued is seen when deliveries end.
        const before = await hold(tx, webhooks, tenantId, params.webhookId)
        const row = await updateWebhook(tx, tenantId, params.webhookId, changes)
        if (!before || !row) throw notFound('webhookId', params.webhookId)
        if (row.disabled) await endDeliveriesOf(tx, tenantId, row.id)
        if (before.disabled || before.url !== url) await forgetFailures(tx, tenantId, row.id)
        tell(tenantId, { id: row.id, changed: changedFields(before, row) })
        return row
      })
      return presentWebhook(updated)
    },
  }),
  defineAuditedRoute({
    operation: 'deleteWebhook',
    summary: 'Delete a webhook with its deliveries',
    tag: 'Webhooks',
    method: 'DELETE',
    path: '/v1/webhooks/:webhookId',
    access,
    event: 'WEBHOOK_DELETE',
    params: Params,
    status: 204,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params, deps, change }) {
      await change(async (tx, tell) => {
        const deleted = await deleteWebhook(tx, tenantId, params.webhookId, deps.clock.now())
        if (!deleted) throw notFound('webhookId', params.webhookId)
        tell(tenantId, { id: params.webhookId })
      })
      deps.bus.poke()
    },
  }),
]
