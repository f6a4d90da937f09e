import type { Writer } from '../../../db/client.ts'
import { hold } from '../../../db/hold.ts'
import { announceChanges } from '../../../db/repos/operations/webhooks/change-announcements.ts'
import { endDeliveriesOf } from '../../../db/repos/operations/webhooks/ended-deliveries.ts'
import { forgetFailures } from '../../../db/repos/operations/webhooks/webhook-health.ts'
import {
  deleteWebhook,
  insertWebhook,
  listWebhooks,
  updateWebhook,
  type WebhookRow,
} from '../../../db/repos/operations/webhooks/webhooks.ts'
import { webhooks } from '../../../db/tables/operations/webhooks.ts'
import { changedFieldNames } from '../../../shared/changed-fields.ts'
import { notFound, wrongField } from '../../../shared/errors/errors.ts'
import { findUrlFault } from '../../../shared/outbound/check-outbound-url.ts'
import { enforceQuota } from '../../access/enforce-quota.ts'
import { createAudited, removeAudited, replaceAudited } from '../../audit/audited-crud.ts'
import type { Deps } from '../../deps.ts'
import type { Versioned } from '../../http/collection.ts'
import { listOf, retrieve } from '../../http/crud.ts'
import { anyone, defineRoute, operators } from '../../http/route.ts'
import { presentKeySet } from '../key-sets.ts'
import { deliveryRoutes } from './delivery-routes.ts'
import { getWebhook } from './get-webhook.ts'
import { listenerRoutes } from './listener-routes.ts'
import { presentWebhook } from './present.ts'
import { NewWebhook, WebhookKeySet, WebhookUpdate, WebhookView } from './schemas.ts'

const hooks: Versioned<WebhookRow> = {
  tag: 'Webhooks',
  access: operators('admin', 'issuer', 'managed-issuer'),
  path: '/v1/webhooks',
  id: 'webhookId',
  events: 'WEBHOOK',
  view: WebhookView,
  hasVersions: true,
  present: presentWebhook,
}

function requireCallable(deps: Deps, url: string): void {
  const refusal = findUrlFault(url, { allowLoopback: deps.config.outboundAllowLoopback })
  if (refusal) throw wrongField('url', refusal, url)
}

async function endDisabled(tx: Writer, { tenantId, id }: WebhookRow, at: Date): Promise<void> {
  await endDeliveriesOf(tx, tenantId, id, at)
  await announceChanges(tx, tenantId, { WebhookDisabled: [{ disabledWebhookId: id, reason: 'operator' }] }, at)
}

export const webhookRoutes = [
  // Credentials are sent to these addresses.
  createAudited(hooks, {
    operation: 'createWebhook',
    summary: 'Create a webhook',
    body: NewWebhook,
    problems: ['conflict'],
    async handle({ tenantId, body, deps, change }) {
      requireCallable(deps, body.url)
      return change(async (tx, record) => {
        await enforceQuota(tx, tenantId, 'webhooks')
        const created = await insertWebhook(tx, tenantId, body, deps.clock.now())
        record(tenantId, { id: created.id })
        return created
      })
    },
  }),
  listOf(hooks, {
    operation: 'retrieveWebhooks',
    summary: 'List the webhooks',
    rows: ({ tenantId, query, deps }) => listWebhooks(deps.db.read, tenantId, query),
  }),
  defineRoute({
    operation: 'retrieveWebhookKeys',
    summary: 'The keys that verify the signatures of webhook requests',
    tag: hooks.tag,
    method: 'GET',
    path: '/v1/webhooks/jwks',
    access: anyone,
    status: 200,
    response: WebhookKeySet,
    // A new key signs at once. A receiver that reads the keys again must not get an old cached response.
    representations: { maxAgeSeconds: 0, etag: 'bytes', cors: true },
    handle: ({ tenantId, deps }) => presentKeySet(deps, tenantId, 'webhook'),
  }),
  retrieve(hooks, {
    operation: 'retrieveWebhook',
    summary: 'Retrieve a webhook',
    find: ({ tenantId, id, deps }) => getWebhook(deps.db.read, tenantId, id),
  }),
  replaceAudited(hooks, {
    operation: 'updateWebhook',
    summary: 'Replace a webhook. A webhook that was disabled is enabled unless the body says `disabled`',
    body: WebhookUpdate,
    async handle({ tenantId, id, body, deps, change, requireMatch }) {
      requireCallable(deps, body.url)
      const { events, url, disabled } = body
      return change(async (tx, record) => {
        // A transaction that creates a delivery holds a shared lock on the webhook, so endDeliveriesOf sees its delivery.
        const before = await hold(tx, webhooks, tenantId, id)
        // A listener keeps its loopback URL. Its stream would give away requests that are signed for another host.
        if (!before || before.leasedUntil !== null) throw notFound('webhookId', id)
        await requireMatch(before)
        const row = await updateWebhook(tx, tenantId, id, { events, url, disabled }, deps.clock.now())
        if (!row) throw notFound('webhookId', id)
        if (row.disabled && !before.disabled) await endDisabled(tx, row, deps.clock.now())
        if (before.disabled || before.url !== url) await forgetFailures(tx, tenantId, id)
        record(tenantId, { id, changed: changedFieldNames(before, row) })
        return row
      })
    },
  }),
  removeAudited(hooks, {
    operation: 'deleteWebhook',
    summary: 'Delete a webhook with its deliveries',
    remove: (tx, { tenantId, id, deps }) => deleteWebhook(tx, tenantId, id, deps.clock.now()),
    removed: ({ deps }) => deps.bus.poke(),
  }),
  ...deliveryRoutes,
  ...listenerRoutes,
]
