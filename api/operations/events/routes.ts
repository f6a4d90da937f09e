import { auditCategory, listAuditEvents } from '../../../db/repos/operations/audit.ts'
import { listEvents } from '../../../db/repos/operations/events.ts'
import { pageOf, presentWalked } from '../../http/page.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { mergeWalks } from './merge-walks.ts'
import { presentAuditEvent, presentEvent } from './present.ts'
import { EventQuery, EventView } from './schemas.ts'

export const eventRoutes = [
  defineRoute({
    operation: 'retrieveEvents',
    summary:
      'List analytics events and the audit, newest first. A page can have fewer entries than `limit` and still have a `nextCursor`',
    tag: 'Analytics',
    method: 'GET',
    path: '/v1/events',
    access: operators('admin', 'auditor'),
    query: EventQuery,
    status: 200,
    response: pageOf(EventView),
    problems: ['bad_request'],
    async handle({ tenantId, query: { limit, cursor, ...filters }, deps }) {
      const isAuditOnly = filters.categories?.every((category) => category === auditCategory)
      const events = isAuditOnly ? { rows: [] } : await listEvents(deps.db.read, tenantId, filters, limit, cursor)
      const audit = await listAuditEvents(deps.db.read, tenantId, filters, limit, cursor)
      const merged = mergeWalks(events, audit, limit, ({ timestamp, id }) => ({ at: timestamp, id }))
      return presentWalked(merged, (row) => ('hash' in row ? presentAuditEvent(row) : presentEvent(row)))
    },
  }),
]
