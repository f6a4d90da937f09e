import { insertEvents } from '../../db/repos/operations/events.ts'
import { type Handlers, handlersFor, type WorkerDeps } from '../handlers.ts'

export function analyticsHandlers({ db }: WorkerDeps): Handlers<'analytics'> {
  return handlersFor('analytics', {
    recordEvents: ({ events }) => db.tx((tx) => insertEvents(tx, events)),
  })
}
