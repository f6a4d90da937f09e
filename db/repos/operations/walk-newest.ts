import { and, desc, eq, gte, inArray, isNotNull, lt, lte, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Reader } from '../../client.ts'
import { withoutIndex } from '../../columns.ts'
import { beforeCursor, type Cursor, cutPage, downToCursor, type Walked } from '../../page.ts'

type WalkedTable = PgTable & { tenantId: PgColumn; timestamp: PgColumn; id: PgColumn }

/** One that is given must hold: the column has one of the values. It has an index, which goes on with the time unless few rows have a value. */
export interface WalkFilter {
  column: PgColumn
  values: string[]
  /** A value is a few rows'. */
  isKey: boolean
}

/** None where no values are given. */
export function filterBy(column: PgColumn, values: string[] | undefined, { isKey = false } = {}): WalkFilter[] {
  return values ? [{ column, values: [...new Set(values)], isKey }] : []
}

export interface WalkRange {
  /** Both inclusive. */
  dateFrom?: Date | undefined
  dateTo?: Date | undefined
  cursor?: Cursor | undefined
}

/**
 * A tenant's rows, newest first. By the index of one of the filters, value by value; what the others leave of it is found by
 * looking. That is the first of them of which few rows are left, or, of so many rows a page, the first: where hardly any
 * passes the others, a page ends early. It may be short, even empty, and still have a `next`.
 */
export async function walkNewest<Table extends WalkedTable>(
  db: Reader,
  table: Table,
  tenantId: string,
  { filters, range, limit }: { filters: WalkFilter[]; range: WalkRange; limit: number },
): Promise<Walked<Table['$inferSelect']>> {
  const { timestamp, id }: WalkedTable = table
  const times = timesOf(table, tenantId, range)
  const rest = and(times, beforeCursor(timestamp, id, range.cursor))
  const key = filters.find(({ isKey }) => isKey)
  if (filters.length === 0 || key) {
    const others = filters.filter((each) => each !== key).map(contentOf)
    const rows = await newest(db, table, [rest, key && inArray(key.column, key.values), ...others], limit)
    return cutPage(rows, limit, cursorOf)
  }
  const { filter, strands, end: walkEnd } = await chooseWalk(db, table, times, filters)
  const others = filters.filter((each) => each !== filter).map(contentOf)
  let rows: Found<Table>[] = []
  for (const strand of strands) {
    // What is older than a page that is full has no place in it.
    const last = rows[limit]
    const end = downToCursor(timestamp, id, last ? cursorOf(last) : walkEnd)
    const found = await newest(db, table, [rest, strand, end, ...others], limit)
    rows = [...rows, ...found].sort(newestFirst).slice(0, limit + 1)
  }
  return cutPage(rows, limit, cursorOf, walkEnd)
}

type Found<Table extends WalkedTable> = Table['$inferSelect'] & Row

/** A condition on the time alone, which all rows in the range meet, and few others: those of the cursor's own millisecond. */
function timesOf({ tenantId: tenant, timestamp }: WalkedTable, tenantId: string, range: WalkRange): SQL | undefined {
  const { dateFrom, dateTo, cursor } = range
  // After a page that ended there, all of its millisecond is done.
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
  /** A range of an index for each value. */
  strands: (SQL | undefined)[]
  /** The last place that the page may look at; undefined where there is nothing behind it. */
  end?: Cursor | undefined
}

/** Rows that one page looks at when only their content can tell whether they are wanted. */
const walkedAtMost = 2_000

async function chooseWalk(
  db: Reader,
  table: WalkedTable,
  times: SQL | undefined,
  filters: WalkFilter[],
): Promise<Walk> {
  const walks = filters.map((filter): Walk => {
    const { column, values } = filter
    return { filter, strands: values.map((value) => and(times, eq(column, value), isNotNull(column))) }
  })
  const [first, ...others] = walks as [Walk, ...Walk[]]
  if (others.length === 0) return first
  const end = await findWalkEnd(db, table, first.strands)
  if (!end) return first
  for (const other of others) {
    if (!(await findWalkEnd(db, table, other.strands))) return other
  }
  return { ...first, end }
}

/**
 * Where the page ends; undefined when there are no more rows than it may look at. The index has the time alone, so that no row is
 * read: the end is before all rows of its millisecond.
 */
async function findWalkEnd(
  db: Reader,
  { timestamp }: WalkedTable,
  strands: (SQL | undefined)[],
): Promise<Cursor | undefined> {
  let at: Date | undefined
  for (const strand of strands) {
    const [row] = await db
      .select({ at: timestamp })
      .from(timestamp.table)
      .where(strand)
      .orderBy(desc(timestamp))
      .limit(1)
      .offset(Math.ceil(walkedAtMost / strands.length) - 1)
    const found = row?.at as Date | undefined
    if (found && (!at || found > at)) at = found
  }
  return at && { at, id: beforeAllIds }
}

/** Ids begin with hexadecimal digits, and are longer. */
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

/** As the databases order them: ids are ASCII. */
function newestFirst(x: Row, y: Row): number {
  return y.timestamp.getTime() - x.timestamp.getTime() || (x.id < y.id ? 1 : -1)
}
