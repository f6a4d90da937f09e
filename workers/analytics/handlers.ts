import { insertEvents } from '../../db/repos/operations/events.ts'
import { findStanding } from '../../db/repos/tenancy/tenants.ts'
import { type Handlers, handlersFor, type WorkerDeps } from '../handlers.ts'

export function analyticsHandlers({ db }: WorkerDeps): Handlers<'analytics'> {
  return handlersFor('analytics', {
    recordEvents: ({ events }) =>
      db.tx(async (tx) => {
        // Events may come long after their request: of a tenant that was deleted meanwhile nobody would remove them.
        const standing = await findStanding(tx, [...new Set(events.map(({ tenantId }) => tenantId))])
        await insertEvents(
          tx,
          events.filter(({ tenantId }) => standing.has(tenantId)),
        )
      }),
  })
}
