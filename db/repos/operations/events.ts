import { and, desc, eq, gte, inArray, isNotNull, lte, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { AnalyticsEvent } from '../../../shared/events.ts'
import type { Reader, Writer } from '../../client.ts'
import { beforeCursor, type Cursor, cutPage, downToCursor, type Walked } from '../../page.ts'
import { preparedInsert } from '../../prepared.ts'
import { events } from '../../tables/operations/events.ts'

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

/**
 * A tenant's events, newest first. Each filter has an index, by which one of those given is walked, value by value; what the
 * others leave of it is found by looking, at so many events a page: where hardly any passes, a page ends early. It may be
 * short, even empty, and still have a `next`.
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
  const [walked, ...others] = givenFilters(filters)
  if (!walked || walked.isKey) {
    const rows = await newest(db, [range, walked && inArray(walked.column, walked.values), ...contentOf(others)], limit)
    return cutPage(rows, limit, cursorOf)
  }
  const strands = walked.values.map((value) => and(range, eq(walked.column, value), isNotNull(walked.column)))
  const walkEnd = others.length > 0 ? await findWalkEnd(db, strands) : undefined
  let rows: EventRow[] = []
  for (const strand of strands) {
    // What is older than a page that is full has no place in it.
    const last = rows[limit]
    const end = downToCursor(events.timestamp, events.id, last ? cursorOf(last) : walkEnd)
    const found = await newest(db, [strand, end, ...contentOf(others)], limit)
    rows = [...rows, ...found].sort(newestFirst).slice(0, limit + 1)
  }
  return cutPage(rows, limit, cursorOf, walkEnd)
}

interface GivenFilter {
  column: PgColumn
  values: string[]
  /** A value is one event's. */
  isKey: boolean
}

/** The one that leaves least comes first. */
function givenFilters(filters: EventFilters): GivenFilter[] {
  const all = [
    { column: events.id, values: filters.ids, isKey: true },
    { column: events.requestId, values: filters.requestIds, isKey: false },
    { column: events.managementUserId, values: filters.managementUserIds, isKey: false },
    { column: events.clientId, values: filters.clientIds, isKey: false },
    { column: events.type, values: filters.types, isKey: false },
    { column: events.category, values: filters.categories, isKey: false },
  ]
  return all.flatMap(({ values, ...filter }) => (values ? [{ ...filter, values: [...new Set(values)] }] : []))
}

function contentOf(filters: GivenFilter[]): SQL[] {
  return filters.map(({ column, values }) => inArray(column, values))
}

async function newest(db: Reader, conditions: (SQL | undefined)[], limit: number): Promise<EventRow[]> {
  return db
    .select()
    .from(events)
    .where(and(...conditions))
    .orderBy(desc(events.timestamp), desc(events.id))
    .limit(limit + 1)
}

const cursorOf = ({ timestamp, id }: EventRow): Cursor => ({ at: timestamp, id })

/** As the databases order them: ids are ASCII. */
function newestFirst(x: EventRow, y: EventRow): number {
  return y.timestamp.getTime() - x.timestamp.getTime() || (x.id < y.id ? 1 : -1)
}

/** Events that one page looks at when only their content can tell whether they are wanted. */
const walkedAtMost = 10_000

/** The last event that the page may look at; undefined when there are no more than that. */
async function findWalkEnd(db: Reader, strands: (SQL | undefined)[]): Promise<Cursor | undefined> {
  let end: Cursor | undefined
  for (const strand of strands) {
    const [row] = await db
      .select({ at: events.timestamp, id: events.id })
      .from(events)
      .where(strand)
      .orderBy(desc(events.timestamp), desc(events.id))
      .limit(1)
      .offset(Math.ceil(walkedAtMost / strands.length) - 1)
    if (row && (!end || row.at > end.at || (row.at.getTime() === end.at.getTime() && row.id > end.id))) end = row
  }
  return end
}
