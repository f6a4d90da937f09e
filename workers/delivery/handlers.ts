import { type Handlers, handlersFor, type WorkerDeps } from '../handlers.ts'

export function deliveryHandlers(_deps: WorkerDeps): Handlers<'delivery'> {
  return handlersFor('delivery', {
    async fanOutIssuances() {},
    async deliverWebhook() {},
  })
}
