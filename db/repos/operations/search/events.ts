import { and, like, lte, not, or, sql } from 'drizzle-orm'
import { lastStoredAt } from '../../../../shared/clock.ts'
import {
  type AnalyticsEvent,
  maxJoinedMs,
  readOperations,
  type ShownEvents,
} from '../../../../shared/domain/operations/events.ts'
import type { Reader, Writer } from '../../../client.ts'
import { preparedInsert } from '../../../engine/prepared.ts'
import { type Cursor, cutPage, type Walked } from '../../../page.ts'
import { events } from '../../../tables/operations/events.ts'
import { type ListedEvent, rowIdsOf, rowTypesOf, splitRow } from './event-pairs.ts'
import { filterBy, walkNewest } from './walk-newest.ts'

/** Filters of events. All of them must match. A list matches if one of its values does. */
export interface EventFilters {
  ids?: string[] | undefined
  requestIds?: string[] | undefined
  categories?: string[] | undefined
  types?: string[] | undefined
  clientIds?: string[] | undefined
  managementUserIds?: string[] | undefined
  /** Objects that management requests changed. */
  objectIds?: string[] | undefined
  offerIds?: string[] | undefined
  show?: ShownEvents | undefined
  /** Both inclusive. */
  dateFrom?: Date | undefined
  dateTo?: Date | undefined
}

const insertRows = preparedInsert('insert_events', events, 'doNothing')

/** Inserts a batch. Ignores events that an earlier attempt inserted. */
export async function insertEvents(tx: Writer, batch: AnalyticsEvent[]): Promise<void> {
  await insertRows(tx, batch.map(eventRowOf))
}

/** Returns the row of an event. */
export function eventRowOf({ start, ...event }: AnalyticsEvent): typeof events.$inferSelect {
  return {
    ...event,
    clientId: event.clientId ?? null,
    walletClientId: event.walletClientId ?? null,
    managementUserId: event.managementUserId ?? null,
    offerId: event.offerId ?? null,
    objectId: event.objectId ?? null,
    timestamp: new Date(event.timestamp),
    startedAt: start ? new Date(start.timestamp) : null,
    startData: start?.data ?? null,
  }
}

/**
 * Returns a tenant's events, the requests that ended last first. The START event of a request follows its end. Some
 * rows have no matching event. A page can therefore be short or empty and still have a `next`.
 */
export async function listEvents(
  db: Reader,
  tenantId: string,
  filters: EventFilters,
  limit: number,
  cursor?: Cursor,
): Promise<Walked<ListedEvent>> {
  const { rows, next } = await walkNewest(db, events, tenantId, { ...rowsWith(filters, cursor), limit })
  const matchingEvents = rows
    .flatMap(splitRow)
    .filter((event) => matches(event, filters))
    // The page before can end between the events of a row.
    .filter(({ position }) => position.id !== cursor?.id)
  return cutPage(matchingEvents, limit, ({ position }) => position, next)
}

/** Returns the filters and the range of the rows that can have matching events. */
function rowsWith(filters: EventFilters, cursor: Cursor | undefined) {
  const { ids, requestIds, objectIds, offerIds, managementUserIds, clientIds, types, categories } = filters
  const { dateFrom, dateTo, show } = filters
  const { id, requestId, managementUserId, clientId, type, category, timestamp, startedAt } = events
  return {
    // The most selective filter comes first.
    filters: [
      ...filterBy(id, ids && rowIdsOf(ids), { isKey: true }),
      ...filterBy(requestId, requestIds),
      ...filterBy(events.objectId, objectIds),
      ...filterBy(events.offerId, offerIds),
      ...filterBy(managementUserId, managementUserIds),
      ...filterBy(clientId, clientIds),
      ...filterBy(type, types && rowTypesOf(types)),
      ...filterBy(category, categories),
    ],
    range: {
      cursor,
      dateFrom,
      dateTo: dateTo && new Date(Math.min(dateTo.getTime() + maxJoinedMs, lastStoredAt.getTime())),
    },
    condition: and(
      dateTo && or(lte(timestamp, dateTo), lte(startedAt, dateTo)),
      show === 'changes' ? not(isRead) : undefined,
    ),
    isSparse: show === 'changes',
  }
}

/** Matches successful reads by the name of their operation. */
const isRead = sql`(${or(...readOperations.map((word) => like(events.type, `%${word}%`)))} and ${like(events.type, '%_SUCCESS')})`

/** Compares what differs between the events of a row. */
function matches({ id, type, timestamp }: ListedEvent, { ids, types, show, dateFrom, dateTo }: EventFilters): boolean {
  return (
    (!show || show === 'all' || !type.endsWith('_START')) &&
    (ids?.includes(id) ?? true) &&
    (types?.includes(type) ?? true) &&
    (!dateFrom || timestamp >= dateFrom) &&
    (!dateTo || timestamp <= dateTo)
  )
}
