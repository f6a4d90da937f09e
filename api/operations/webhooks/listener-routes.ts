import { z } from 'zod'
import { answerListenerRequest, countListeners, findListener } from '../../../db/repos/operations/webhooks/listeners.ts'
import { insertWebhook, type WebhookRow } from '../../../db/repos/operations/webhooks/webhooks.ts'
import { plusMs } from '../../../shared/clock.ts'
import { webhookListenerLeaseMs } from '../../../shared/domain/operations/listeners.ts'
import { notFound, Problem } from '../../../shared/errors/errors.ts'
import { enforceQuota } from '../../access/enforce-quota.ts'
import { createAudited } from '../../audit/audited-crud.ts'
import type { Deps } from '../../deps.ts'
import type { Collection } from '../../http/collection.ts'
import { idOf } from '../../http/fields.ts'
import { handlerMedia } from '../../http/representations/media.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { ListenerView, NewListener, ReportedAnswer } from './listener-schemas.ts'
import { listenerStreams } from './listener-streams.ts'

const maxListeners = 10
const access = operators('admin', 'issuer', 'managed-issuer')
const Params = z.object({ listenerId: idOf('listener') })

const listeners: Collection<WebhookRow> = {
  tag: 'Webhooks',
  access,
  path: '/v1/webhooks/listeners',
  id: 'listenerId',
  events: 'WEBHOOK_LISTENER',
  view: ListenerView,
  present: ({ id, events, url, leasedUntil }) => ({
    id,
    events,
    forwardTo: url,
    leasedUntil: leasedUntil?.toISOString(),
  }),
}

export const listenerRoutes = [
  createAudited(listeners, {
    operation: 'createWebhookListener',
    summary:
      'Create a listener: a webhook whose requests a stream gives to a program on the machine of a developer. It is removed 60 seconds ' +
      'after its stream has ended',
    body: NewListener,
    problems: ['conflict'],
    async handle({ tenantId, body: { events, forwardTo: url }, deps, change }) {
      return change(async (tx, record) => {
        await enforceQuota(tx, tenantId, 'webhooks')
        if ((await countListeners(tx, tenantId)) >= maxListeners)
          throw new Problem('conflict', {
            message: `A tenant can have at most ${maxListeners} listeners. End one first.`,
          })
        const at = deps.clock.now()
        const created = await insertWebhook(tx, tenantId, { events, url }, at, plusMs(at, webhookListenerLeaseMs))
        record(tenantId, { id: created.id })
        return created
      })
    },
  }),
  defineRoute({
    operation: 'streamWebhookListener',
    summary:
      'Stream the signed requests of a listener as server-sent events: method, target, headers and body. It begins with ' +
      'those that have no answer yet. Ends after ten minutes',
    tag: 'Webhooks',
    method: 'GET',
    path: '/v1/webhooks/listeners/:listenerId/stream',
    access,
    event: 'WEBHOOK_LISTENER_STREAM',
    params: Params,
    isLongLived: true,
    status: 200,
    representations: { media: [handlerMedia('text/event-stream')] },
    problems: ['bad_request', 'not_found', 'conflict'],
    async handle({ tenantId, params: { listenerId }, caller, deps }) {
      const { leasedUntil } = await getListener(deps, tenantId, listenerId)
      const streams = deps.services.of(listenerStreams)
      return { stream: streams.open({ tenantId, webhookId: listenerId, leasedUntil, caller }) }
    },
  }),
  defineRoute({
    operation: 'answerWebhookListenerRequest',
    changesTenant: false,
    summary: 'Report the answer of the receiver to a request of a listener. It is listed as an attempt of the delivery',
    tag: 'Webhooks',
    method: 'POST',
    path: '/v1/webhooks/listeners/:listenerId/requests/:requestId/answer',
    access,
    params: Params.extend({ requestId: idOf('listener request') }),
    body: ReportedAnswer,
    status: 204,
    problems: ['bad_request', 'not_found'],
    async handle({ tenantId, params: { listenerId, requestId }, body, deps, commitAnswer }) {
      await getListener(deps, tenantId, listenerId)
      const request = { webhookId: listenerId, id: requestId }
      await deps.db.tx(async (tx) => {
        const isOpen = await answerListenerRequest(tx, tenantId, request, body)
        if (!isOpen) throw notFound('requestId', requestId)
        await commitAnswer(tx, undefined)
      })
    },
  }),
]

async function getListener({ db, clock }: Deps, tenantId: string, id: string): Promise<{ leasedUntil: Date }> {
  const { leasedUntil = null } = (await findListener(db.read, tenantId, id)) ?? {}
  if (!leasedUntil || leasedUntil <= clock.now()) throw notFound('listenerId', id)
  return { leasedUntil }
}
