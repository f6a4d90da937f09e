import { type Handlers, handlersFor } from '../handlers.ts'
import { deliverWebhook } from './deliver-webhook.ts'
import { deliverWebhooks } from './deliver-webhooks.ts'
import type { DeliveryDeps } from './deps.ts'
import { fanOutIssuances } from './fan-out-issuances.ts'
import { createGate } from './gate.ts'
import { createRecorder } from './record-attempts.ts'

export function deliveryHandlers(deps: DeliveryDeps): Handlers<'delivery'> {
  const sending = { ...deps, gate: createGate(), record: createRecorder(deps.db) }
  return handlersFor('delivery', {
    fanOutIssuances: ({ items }) => fanOutIssuances(deps, items),
    deliverWebhook: (payload) => deliverWebhook(sending, payload),
    deliverWebhooks: ({ items }) => deliverWebhooks(sending, items),
  })
}
