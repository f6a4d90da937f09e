import { type Handlers, handlersFor, type WorkerDeps } from '../handlers.ts'
import { recoverDeliveries } from './recover-deliveries.ts'

export function upkeepHandlers(deps: WorkerDeps): Handlers<'upkeep'> {
  return handlersFor('upkeep', {
    recoverDeliveries: () => recoverDeliveries(deps),
    async recoverIssuances() {},
    async purgeExpired() {},
  })
}
