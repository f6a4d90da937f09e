import { type Handlers, handlersFor, type WorkerDeps } from '../handlers.ts'
import { finishErasure } from './finish-erasure.ts'
import { purgeExpired } from './purge-expired.ts'
import { recoverDeliveries } from './recover-deliveries.ts'
import { recoverIssuances } from './recover-issuances.ts'
import { removeHolderApplication, removeTenant, removeWebhook } from './remove-deleted.ts'
import { setBulkStatus } from './set-bulk-status.ts'

export function upkeepHandlers(deps: WorkerDeps): Handlers<'upkeep'> {
  return handlersFor('upkeep', {
    recoverDeliveries: () => recoverDeliveries(deps),
    recoverIssuances: () => recoverIssuances(deps),
    removeHolderApplication: (payload, attempt) => removeHolderApplication(deps, payload, attempt),
    removeTenant: (payload, attempt) => removeTenant(deps, payload, attempt),
    removeWebhook: (payload, attempt) => removeWebhook(deps, payload, attempt),
    setBulkStatus: (payload) => setBulkStatus(deps, payload),
    finishErasure: (payload, attempt) => finishErasure(deps, payload, attempt),
    purgeExpired: () => purgeExpired(deps),
  })
}
