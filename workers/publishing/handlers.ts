import { type Handlers, handlersFor, type WorkerDeps } from '../handlers.ts'
import { queueDueLists } from './queue-due-lists.ts'

export function publishingHandlers(deps: WorkerDeps): Handlers<'publishing'> {
  return handlersFor('publishing', {
    queueDueLists: () => queueDueLists(deps),
  })
}
