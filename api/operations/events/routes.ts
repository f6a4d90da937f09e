import type { Cursor, Walked } from '../../../db/page.ts'
import { type AuditRow, auditCategory, listAuditEvents } from '../../../db/repos/operations/audit/audit.ts'
import { findAuditIds } from '../../../db/repos/operations/audit/audit-objects.ts'
import type { ListedEvent } from '../../../db/repos/operations/search/event-pairs.ts'
import { type EventFilters, listEvents } from '../../../db/repos/operations/search/events.ts'
import { pageOf, presentWalked } from '../../http/page.ts'
import { defineRoute, operators } from '../../http/route.ts'
import { mergeWalks } from './merge-walks.ts'
import { presentAuditEvent, presentEvent } from './present.ts'
import { EventQuery, EventView } from './schemas.ts'

function positionOf(row: ListedEvent | AuditRow): Cursor {
  return 'position' in row ? row.position : { at: row.timestamp, id: row.id }
}

/**
 * Pages follow the order in which requests ended. A page shows its events by their time. Those of one millisecond keep the order of the
 * pages.
 */
function newestFirst(x: ListedEvent | AuditRow, y: ListedEvent | AuditRow): number {
  return y.timestamp.getTime() - x.timestamp.getTime()
}

/** Returns the ids that are also in the filter, if there is one. */
function chosen(ids: string[], filter: string[] | undefined): string[] {
  return filter ? ids.filter((id) => filter.includes(id)) : ids
}

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
    readsStandby: true,
    status: 200,
    response: pageOf(EventView),
    problems: ['bad_request'],
    async handle({ tenantId, query: { limit, cursor, objectId, ...filters }, deps }) {
      const { read } = deps.db
      const isAuditOnly = filters.categories?.every((category) => category === auditCategory)
      const list = async (of: EventFilters): Promise<Walked<ListedEvent>> =>
        isAuditOnly ? { rows: [] } : listEvents(read, tenantId, { ...filters, ...of }, limit, cursor)
      const listAudit = (of: EventFilters) => listAuditEvents(read, tenantId, { ...filters, ...of }, limit, cursor)
      const walks: Walked<ListedEvent | AuditRow>[] =
        objectId === undefined
          ? [await list({}), await listAudit({})]
          : [
              await list({ objectIds: [objectId] }),
              await list({ offerIds: [objectId] }),
              await listAudit({ ids: chosen(await findAuditIds(read, tenantId, objectId), filters.ids) }),
            ]
      const merged = walks.reduce((left, right) => mergeWalks(left, right, limit, positionOf))
      merged.rows.sort(newestFirst)
      return presentWalked(merged, (row) => ('hash' in row ? presentAuditEvent(row) : presentEvent(row)))
    },
  }),
]
