import type { AnalyticsEvent } from '../../../shared/domain/operations/events.ts'
import type { Reader, Writer } from '../../client.ts'
import { preparedInsert } from '../../engine/prepared.ts'
import type { Cursor, Walked } from '../../page.ts'
import { events } from '../../tables/operations/events.ts'
import { filterBy, walkNewest } from './walk-newest.ts'

export type EventRow = typeof events.$inferSelect

/** Filters of events. All of them must match. A list matches if one of its values does. */
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

/** Inserts a batch. Ignores events that an earlier attempt inserted. */
export async function insertEvents(tx: Writer, batch: AnalyticsEvent[]): Promise<void> {
  const rows = batch.map((event) => ({
    ...event,
    clientId: event.clientId ?? null,
    walletClientId: event.walletClientId ?? null,
    managementUserId: event.managementUserId ?? null,
    offerId: event.offerId ?? null,
    timestamp: new Date(event.timestamp),
  }))
  await insertRows(tx, rows)
}

/** Returns a tenant's events, newest first. */
export async function listEvents(
  db: Reader,
  tenantId: string,
  { ids, requestIds, managementUserIds, clientIds, types, categories, ...range }: EventFilters,
  limit: number,
  cursor?: Cursor,
): Promise<Walked<EventRow>> {
  const { id, requestId, managementUserId, clientId, type, category } = events
  // The most selective filter comes first.
  const filters = [
    ...filterBy(id, ids, { isKey: true }),
    ...filterBy(requestId, requestIds),
    ...filterBy(managementUserId, managementUserIds),
    ...filterBy(clientId, clientIds),
    ...filterBy(type, types),
    ...filterBy(category, categories),
  ]
  return walkNewest(db, events, tenantId, { filters, range: { ...range, cursor }, limit })
}
