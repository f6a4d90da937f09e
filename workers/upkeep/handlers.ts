import { type Handlers, handlersFor } from '../jobs/handlers.ts'
import { createRenewLinks } from './bulk/renew-links.ts'
import { type BulkDeps, createValidateBulk } from './bulk/validate-bulk.ts'
import { createWipeBulk } from './bulk/wipe-bulk.ts'
import { cancelDids } from './cancel-dids.ts'
import { createEmptyLog } from './empty-log.ts'
import { endDeliveries } from './end-deliveries.ts'
import { expireApprovals } from './expire-approvals.ts'
import { finishErasure } from './finish-erasure.ts'
import { nameConfigurations } from './name-configurations.ts'
import { purgeExpired } from './purge-expired.ts'
import { recoverDeliveries } from './recover-deliveries.ts'
import { recoverIssuances } from './recover-issuances.ts'
import { removeEcosystem, removeHolderApplication, removeInbox, removeTenant, removeWebhook } from './remove-deleted.ts'
import { setBulkStatus } from './set-bulk-status.ts'

export function upkeepHandlers(deps: BulkDeps): Handlers<'upkeep'> {
  const erasing = { ...deps, emptyLog: createEmptyLog(deps) }
  return handlersFor('upkeep', {
    recoverDeliveries: () => recoverDeliveries(deps),
    recoverIssuances: () => recoverIssuances(deps),
    endDeliveries: (payload) => endDeliveries(deps, payload),
    removeEcosystem: (payload) => removeEcosystem(deps, payload),
    removeHolderApplication: (payload, attempt) => removeHolderApplication(deps, payload, attempt),
    removeInbox: (payload, attempt) => removeInbox(deps, payload, attempt),
    removeTenant: (payload, attempt) => removeTenant(deps, payload, attempt),
    removeWebhook: (payload, attempt) => removeWebhook(deps, payload, attempt),
    setBulkStatus: (payload) => setBulkStatus(deps, payload),
    validateBulkIssuance: createValidateBulk(deps),
    wipeBulk: createWipeBulk(deps),
    renewExpiredLinks: createRenewLinks(deps),
    finishErasure: (payload, attempt) => finishErasure(erasing, payload, attempt),
    cancelDids: () => cancelDids(deps),
    callOffDids: () => cancelDids(deps),
    expireApprovals: () => expireApprovals(deps),
    purgeExpired: () => purgeExpired(deps),
    nameConfigurations: () => nameConfigurations(deps),
  })
}
