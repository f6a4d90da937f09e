import { recordEvents } from '../../db/record-events.ts'
import { type Handlers, handlersFor, type WorkerDeps } from '../jobs/handlers.ts'
import { storeEvents } from './store-events.ts'

export function analyticsHandlers(deps: WorkerDeps): Handlers<'analytics'> {
  return handlersFor('analytics', {
    storeEvents: (_, { isLast }) => storeEvents(deps, isLast),
    recordEvents: ({ events }) => recordEvents(deps, events),
  })
}
