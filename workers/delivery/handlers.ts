import type { Keys } from '../../shared/jobs/keys.ts'
import type { Outbound } from '../../shared/outbound.ts'
import { type Handlers, handlersFor, type WorkerDeps } from '../handlers.ts'
import { deliverWebhook } from './deliver-webhook.ts'
import { fanOutIssuances } from './fan-out-issuances.ts'
import { createGate } from './gate.ts'

export interface DeliveryDeps extends WorkerDeps {
  keys: Keys
  outbound: Outbound
  /** Instead of the schedule's; tests have no half days. */
  retryPausesMs?: readonly number[]
}

export function deliveryHandlers(deps: DeliveryDeps): Handlers<'delivery'> {
  const gate = createGate()
  return handlersFor('delivery', {
    fanOutIssuances: ({ items }) => fanOutIssuances(deps, items),
    deliverWebhook: (payload) => deliverWebhook(deps, gate, payload),
  })
}
