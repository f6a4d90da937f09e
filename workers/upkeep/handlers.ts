import { type Handlers, handlersFor, type WorkerDeps } from '../handlers.ts'

export function upkeepHandlers(_deps: WorkerDeps): Handlers<'upkeep'> {
  return handlersFor('upkeep', {
    async recoverDeliveries() {},
    async recoverIssuances() {},
    async purgeExpired() {},
  })
}
