import { type Handlers, handlersFor } from '../jobs/handlers.ts'
import { deliverWebhooks } from './deliver-webhooks.ts'
import type { DeliveryDeps } from './deps.ts'
import { fanOut } from './fan-out.ts'
import { fanOutChanges } from './fan-out-changes.ts'
import { queueDueMessages } from './messages/queue-due-messages.ts'
import { sendMessages } from './messages/send-messages.ts'
import { queueDueDeliveries } from './queue-due-deliveries.ts'
import { createRecorder } from './record-attempts.ts'

export function deliveryHandlers(deps: DeliveryDeps): Handlers<'delivery'> {
  const sending = { ...deps, record: createRecorder(deps.db, deps.clock) }
  return handlersFor('delivery', {
    fanOut: ({ items }, attempt) => fanOut(deps, items, attempt),
    fanOutChanges: (portion, attempt) => fanOutChanges(deps, portion, attempt),
    fanOutIssuances: ({ items }, attempt) =>
      fanOut(
        deps,
        items.map(({ issuanceId, ...more }) => ({ ...more, kind: 'issuance', subjectId: issuanceId })),
        attempt,
      ),
    // Earlier versions queued this job. `queueDueDeliveries` finds its delivery in the database.
    deliverWebhook: async () => undefined,
    deliverWebhooks: ({ items }, attempt) => deliverWebhooks(sending, items, attempt),
    queueDueDeliveries: () => queueDueDeliveries(deps),
    sendMessages: ({ items }) => sendMessages(deps, items),
    queueDueMessages: () => queueDueMessages(deps),
  })
}
