import { type Handlers, handlersFor } from '../jobs/handlers.ts'
import type { IntegrationDeps } from './deps.ts'
import { queueDueIntegrations } from './queue-due-integrations.ts'
import { syncIntegration } from './sync-integration.ts'

/** The external lists that a process fetches concurrently. */
export const integrationSlots = 8

export function integrationHandlers(deps: IntegrationDeps): Handlers<'integrations'> {
  return handlersFor('integrations', {
    queueDueIntegrations: () => queueDueIntegrations(deps),
    syncIntegration: (ref) => syncIntegration(deps, ref),
  })
}
