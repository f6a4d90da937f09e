import { and, desc, eq, gte, inArray, isNotNull, lt, lte, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Reader } from '../../../client.ts'
import { withoutIndex } from '../../../columns.ts'
import { beforeCursor, type Cursor, cutPage, downToCursor, type Walked } from '../../../page.ts'

type WalkedTable = PgTable & { tenantId: PgColumn; timestamp: PgColumn; id: PgColumn }

/**
 * A filter on a column with an index. A row must have one of the values. The index continues with the time, except for
 * a key.
 */
export interface WalkFilter {
  column: PgColumn
  values: string[]
  /** Whether each value has only few rows. */
  isKey: boolean
}

/** Returns no filter if no values are given. */
export function filterBy(column: PgColumn, values: string[] | undefined, { isKey = false } = {}): WalkFilter[] {
  return values ? [{ column, values: [...new Set(values)], isKey }] : []
}

interface WalkRange {
  /** Both inclusive. */
  dateFrom?: Date | undefined
  dateTo?: Date | undefined
  cursor?: Cursor | undefined
}

interface Search {
  filters: WalkFilter[]
  range: WalkRange
  /** A condition on the rows in the range. */
  condition?: SQL | undefined
  /** Whether the condition matches only few rows, so that the rows that a page reads are limited. */
  isSparse?: boolean
  limit: number
}

/**
 * Returns the rows of a tenant, newest first. Walks the index of one filter, value by value, and checks the other
 * filters for each row. Walks the first filter with few rows, or else the first filter for a limited number of rows. A
 * page can therefore be short or empty and still have a `next`.
 */
export async function walkNewest<Table extends WalkedTable>(
  db: Reader,
  table: Table,
  tenantId: string,
  { filters, range, condition, isSparse = false, limit }: Search,
): Promise<Walked<Table['$inferSelect']>> {
  const { timestamp, id }: WalkedTable = table
  const times = timesOf(table, tenantId, range)
  const rest = and(times, beforeCursor(timestamp, id, range.cursor), condition)
  const key = filters.find(({ isKey }) => isKey)
  if (filters.length === 0 || key) {
    const others = filters.filter((each) => each !== key).map(contentOf)
    const end = isSparse && !key ? await findWalkEnd(db, table, [times]) : undefined
    const conditions = [rest, key && inArray(key.column, key.values), downToCursor(timestamp, id, end), ...others]
    return cutPage(await newest(db, table, conditions, limit), limit, cursorOf, end)
  }
  const { filter, ranges, end: walkEnd } = await chooseWalk(db, table, times, filters, isSparse)
  const others = filters.filter((each) => each !== filter).map(contentOf)
  let rows: Found<Table>[] = []
  for (const indexRange of ranges) {
    // Rows that are older than a full page are not needed.
    const last = rows[limit]
    const end = downToCursor(timestamp, id, last ? cursorOf(last) : walkEnd)
    const ofRange = await newest(db, table, [rest, indexRange, end, ...others], limit)
    rows = [...rows, ...ofRange].sort(newestFirst).slice(0, limit + 1)
  }
  return cutPage(rows, limit, cursorOf, walkEnd)
}

type Found<Table extends WalkedTable> = Table['$inferSelect'] & Row

/**
 * Returns a condition on the time. It matches all rows in the range, and other rows only in the millisecond of the
 * cursor.
 */
function timesOf({ tenantId: tenant, timestamp }: WalkedTable, tenantId: string, range: WalkRange): SQL | undefined {
  const { dateFrom, dateTo, cursor } = range
  // A page that ended here includes the whole millisecond.
  const isWholeDone = cursor?.id === beforeAllIds
  return and(
    eq(tenant, tenantId),
    dateFrom && gte(timestamp, dateFrom),
    dateTo && lte(timestamp, dateTo),
    cursor && (isWholeDone ? lt(timestamp, cursor.at) : lte(timestamp, cursor.at)),
  )
}

interface Row {
  timestamp: Date
  id: string
}

interface Walk {
  filter: WalkFilter
  /** An index range for each value. */
  ranges: (SQL | undefined)[]
  /** The last position that the page may read. Undefined if the walk reads all rows. */
  end?: Cursor | undefined
}

/** The number of rows that a page reads if only their content shows whether they match. */
const maxWalked = 2_000

async function chooseWalk(
  db: Reader,
  table: WalkedTable,
  times: SQL | undefined,
  filters: WalkFilter[],
  isSparse: boolean,
): Promise<Walk> {
  const walks = filters.map((filter): Walk => {
    const { column, values } = filter
    return { filter, ranges: values.map((value) => and(times, eq(column, value), isNotNull(column))) }
  })
  const [first, ...others] = walks as [Walk, ...Walk[]]
  if (others.length === 0 && !isSparse) return first
  const end = await findWalkEnd(db, table, first.ranges)
  if (!end) return first
  for (const other of others) {
    if (!(await findWalkEnd(db, table, other.ranges))) return other
  }
  return { ...first, end }
}

/**
 * Returns the end of the page, or undefined if the page may read all rows. Reads only the time from the index. The end
 * is therefore before all rows of its millisecond.
 */
async function findWalkEnd(
  db: Reader,
  { timestamp }: WalkedTable,
  ranges: (SQL | undefined)[],
): Promise<Cursor | undefined> {
  let at: Date | undefined
  for (const indexRange of ranges) {
    const [row] = await db
      .select({ at: timestamp })
      .from(timestamp.table)
      .where(indexRange)
      .orderBy(desc(timestamp))
      .limit(1)
      .offset(Math.ceil(maxWalked / ranges.length) - 1)
    const lastAt = row?.at as Date | undefined
    if (lastAt && (!at || lastAt > at)) at = lastAt
  }
  return at && { at, id: beforeAllIds }
}

/** Less than all ids, which start with a hexadecimal digit and are longer. */
const beforeAllIds = '0'

const contentOf = ({ column, values }: WalkFilter): SQL => withoutIndex(inArray(column, values))

async function newest<Table extends WalkedTable>(
  db: Reader,
  table: Table,
  conditions: (SQL | undefined)[],
  limit: number,
): Promise<Found<Table>[]> {
  const walked: WalkedTable = table
  const rows = await db
    .select()
    .from(walked)
    .where(and(...conditions))
    .orderBy(desc(walked.timestamp), desc(walked.id))
    .limit(limit + 1)
  // Boundary: whole rows of the table.
  return rows as Found<Table>[]
}

const cursorOf = ({ timestamp, id }: Row): Cursor => ({ at: timestamp, id })

/** Sorts like the databases, because ids are ASCII. */
function newestFirst(x: Row, y: Row): number {
  return y.timestamp.getTime() - x.timestamp.getTime() || (x.id < y.id ? 1 : -1)
}
