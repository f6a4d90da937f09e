import { and, desc, eq, gte, inArray, lte, type SQL } from 'drizzle-orm'
import type { AnalyticsEvent } from '../../shared/events.ts'
import type { Reader, Writer } from '../client.ts'
import { beforeCursor, type Cursor, cutPage, downToCursor, type Walked } from '../page.ts'
import { preparedInsert } from '../prepared.ts'
import { events } from '../tables/events.ts'

export type EventRow = typeof events.$inferSelect

/** Every filter that is given must hold; of a list of values, one. */
export interface EventFilters {
  ids?: string[] | undefined
  requestIds?: string[] | undefined
  categories?: string[] | undefined
  types?: string[] | undefined
  clientIds?: string[] | undefined
  managementUserIds?: string[] | undefined
  /** Both inclusive. */
  dateFrom?: Date | undefined
  dateTo?: Date | undefined
}

const insertRows = preparedInsert('insert_events', events, 'doNothing')

/** Stores a batch; what an earlier attempt stored is left as it is. */
export async function insertEvents(tx: Writer, batch: AnalyticsEvent[]): Promise<void> {
  const rows = batch.map(({ timestamp, ...event }) => ({
    clientId: null,
    walletClientId: null,
    managementUserId: null,
    offerId: null,
    ...event,
    timestamp: new Date(timestamp),
  }))
  await insertRows(tx, rows)
}

/** Events that one page looks at when only their content can tell whether they are wanted. */
const walkedAtMost = 10_000

/**
 * A tenant's events, newest first. Where hardly any event passes the filters a page ends early: it may be short, even
 * empty, and still have a `next`.
 */
export async function listEvents(
  db: Reader,
  tenantId: string,
  filters: EventFilters,
  limit: number,
  cursor?: Cursor,
): Promise<Walked<EventRow>> {
  const range = and(
    eq(events.tenantId, tenantId),
    filters.dateFrom && gte(events.timestamp, filters.dateFrom),
    filters.dateTo && lte(events.timestamp, filters.dateTo),
    beforeCursor(events.timestamp, events.id, cursor),
  )
  const isIndexed = filters.ids !== undefined || filters.requestIds !== undefined
  const walkEnd = isIndexed ? undefined : await findWalkEnd(db, range)
  const rows = await db
    .select()
    .from(events)
    .where(and(range, downToCursor(events.timestamp, events.id, walkEnd), ...contentOf(filters)))
    .orderBy(desc(events.timestamp), desc(events.id))
    .limit(limit + 1)
  return cutPage(rows, limit, ({ timestamp, id }) => ({ at: timestamp, id }), walkEnd)
}

function contentOf(filters: EventFilters): (SQL | undefined)[] {
  return [
    filters.ids && inArray(events.id, filters.ids),
    filters.requestIds && inArray(events.requestId, filters.requestIds),
    filters.categories && inArray(events.category, filters.categories),
    filters.types && inArray(events.type, filters.types),
    filters.clientIds && inArray(events.clientId, filters.clientIds),
    filters.managementUserIds && inArray(events.managementUserId, filters.managementUserIds),
  ]
}

/** The last event that the page may look at; undefined when there are no more than that. */
async function findWalkEnd(db: Reader, range: SQL | undefined): Promise<Cursor | undefined> {
  const [row] = await db
    .select({ at: events.timestamp, id: events.id })
    .from(events)
    .where(range)
    .orderBy(desc(events.timestamp), desc(events.id))
    .limit(1)
    .offset(walkedAtMost - 1)
  return row
}
