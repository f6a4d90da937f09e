import { listEvents } from '../../db/repos/events.ts'
import { pageOf, presentWalked } from '../http/page.ts'
import { defineRoute, operators } from '../http/route.ts'
import { presentEvent } from './present.ts'
import { EventQuery, EventView } from './schemas.ts'

export const eventRoutes = [
  defineRoute({
    operation: 'retrieveEvents',
    summary: 'List analytics events, newest first; a page may hold fewer than `limit` and still have a `nextCursor`',
    tag: 'Analytics',
    method: 'GET',
    path: '/v1/events',
    access: operators('admin', 'auditor'),
    query: EventQuery,
    status: 200,
    response: pageOf(EventView),
    problems: ['bad_request'],
    async handle({ tenantId, query: { limit, cursor, ...filters }, deps }) {
      return presentWalked(await listEvents(deps.db.read, tenantId, filters, limit, cursor), presentEvent)
    },
  }),
]
