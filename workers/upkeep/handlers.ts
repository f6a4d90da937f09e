import { type Handlers, handlersFor, type WorkerDeps } from '../handlers.ts'
import { purgeExpired } from './purge-expired.ts'
import { recoverDeliveries } from './recover-deliveries.ts'
import { recoverIssuances } from './recover-issuances.ts'

export function upkeepHandlers(deps: WorkerDeps): Handlers<'upkeep'> {
  return handlersFor('upkeep', {
    recoverDeliveries: () => recoverDeliveries(deps),
    recoverIssuances: () => recoverIssuances(deps),
    purgeExpired: () => purgeExpired(deps),
  })
}
