import { setImmediate } from 'node:timers/promises'
import { and, asc, eq, gt, gte, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../../client.ts'
import { afterCursor, type Cursor } from '../../page.ts'
import { signedCredentials } from '../../tables/credentials/signed-credentials.ts'
import { credentials } from '../../tables/issuance/credentials.ts'
import type { BulkFilter } from '../../tables/status/bulks.ts'

/**
 * Where the next page of a bulk filter starts: after a credential, in a configuration or among the credentials of a
 * user. Without user and configuration in the filter, the configurations are read one after the other. The directly
 * signed credentials come last, because they have neither.
 */
export interface BulkCursor {
  configurationId?: string
  isDirect?: true
  after?: Cursor
}

export interface BulkPage {
  /** The ids of the credentials. */
  rows: string[]
  /** Absent on the last page. A page of a signer can be short or empty and still have a next one. */
  next?: BulkCursor
}

interface Walk {
  filter: BulkFilter
  /** Excludes credentials that were issued later. */
  until: Date
  from?: BulkCursor | undefined
  /** The credentials to read. */
  limit: number
}

/**
 * Returns the ids of the next credentials of a filter. Reads index ranges only. No index has the signers, because it would cost each
 * issuance, so the signer of each credential is compared.
 */
export async function findBulkPage(
  db: Reader,
  tenantId: string,
  { filter, until, from, limit }: Walk,
): Promise<BulkPage> {
  const ids: string[] = []
  let left = limit
  let cursor = from ?? { ...(await firstCursor(db, tenantId, filter)) }
  for (;;) {
    const { table, of } = rangeOf(tenantId, filter, cursor, until)
    const rows = await db
      .select({ id: table.id, at: table.issuedAt, signerId: table.signerId })
      .from(table)
      .where(and(of, afterCursor(table.issuedAt, table.id, cursor.after)))
      .orderBy(asc(table.issuedAt), asc(table.id))
      .limit(left)
    ids.push(...rows.filter((row) => isSigner(filter, row.signerId)).map(({ id }) => id))
    left -= rows.length
    const last = rows.at(-1)
    if (left === 0 && last) return { rows: ids, next: { ...cursor, after: { at: last.at, id: last.id } } }
    if (isLast(filter, cursor)) return { rows: ids }
    cursor = await nextCursor(db, tenantId, cursor.configurationId ?? '')
  }
}

const isSigner = ({ signerId }: BulkFilter, of: string | null) => signerId === undefined || signerId === of

/**
 * Counts the credentials of a filter up to `maxTotal`. Returns `maxTotal` too if it would have to examine more credentials to find those
 * of a signer, so that the number is never too low for an approval. Counts `maxPerQuery` rows per query and yields in between, because a
 * query on SQLite blocks the process.
 */
export async function countBulk(
  db: Reader,
  tenantId: string,
  { filter, until }: Pick<Walk, 'filter' | 'until'>,
  { maxTotal, maxPerQuery }: { maxTotal: number; maxPerQuery: number },
): Promise<number> {
  let [count, examined] = [0, 0]
  let cursor = await firstCursor(db, tenantId, filter)
  while (examined < maxTotal) {
    const size = Math.min(maxPerQuery, maxTotal - examined)
    const { table, of } = rangeOf(tenantId, filter, cursor, until)
    const rest = and(of, afterCursor(table.issuedAt, table.id, cursor.after))
    const [last] = await db
      .select({ id: table.id, at: table.issuedAt })
      .from(table)
      .where(rest)
      .orderBy(asc(table.issuedAt), asc(table.id))
      .limit(1)
      .offset(size - 1)
    const inRange = last ? size : await db.$count(table, rest)
    count += filter.signerId === undefined ? inRange : await countOfSigner(db, table, rest, filter.signerId, size)
    examined += inRange
    if (!last && isLast(filter, cursor)) return count
    cursor = last ? { ...cursor, after: last } : await nextCursor(db, tenantId, cursor.configurationId ?? '')
    await setImmediate()
  }
  return maxTotal
}

/** Counts the credentials of a signer among the first `size` of an index range. */
async function countOfSigner(
  db: Reader,
  table: IndexRange['table'],
  range: SQL | undefined,
  signerId: string,
  size: number,
): Promise<number> {
  const examined = db
    .select({ signerId: table.signerId })
    .from(table)
    .where(range)
    .orderBy(asc(table.issuedAt), asc(table.id))
    .limit(size)
    .as('examined')
  return db.$count(db.select().from(examined).where(eq(examined.signerId, signerId)).as('signed'))
}

/** Whether one index range has all credentials of the filter. */
const isOneRange = ({ userId, configurationId }: BulkFilter) => userId !== undefined || configurationId !== undefined

const isLast = (filter: BulkFilter, { isDirect }: BulkCursor) => isOneRange(filter) || isDirect === true

async function firstCursor(db: Reader, tenantId: string, filter: BulkFilter): Promise<BulkCursor> {
  if (filter.userId !== undefined) return {}
  if (filter.configurationId !== undefined) return { configurationId: filter.configurationId }
  return nextCursor(db, tenantId, '')
}

/**
 * Returns the start of the next configuration with credentials, which may be deleted. After the last one follow the
 * directly signed credentials.
 */
async function nextCursor(db: Reader, tenantId: string, configurationId: string): Promise<BulkCursor> {
  const [row] = await db
    .select({ configurationId: credentials.configurationId })
    .from(credentials)
    .where(and(eq(credentials.tenantId, tenantId), gt(credentials.configurationId, configurationId)))
    .orderBy(asc(credentials.configurationId))
    .limit(1)
  return row ?? { isDirect: true }
}

interface IndexRange {
  table: typeof credentials | typeof signedCredentials
  of: SQL | undefined
}

function rangeOf(tenantId: string, filter: BulkFilter, cursor: BulkCursor, until: Date): IndexRange {
  const { userId, configurationId, issuedFrom, issuedTo } = filter
  const table = cursor.isDirect ? signedCredentials : credentials
  const end = issuedTo === undefined ? until : new Date(Math.min(issuedTo, until.getTime()))
  const issued = and(
    eq(table.tenantId, tenantId),
    issuedFrom === undefined ? undefined : gte(table.issuedAt, new Date(issuedFrom)),
    lte(table.issuedAt, end),
  )
  if (cursor.isDirect) return { table, of: and(issued, isNull(signedCredentials.cancelledAt)) }
  if (userId === undefined)
    return { table, of: and(issued, eq(credentials.configurationId, cursor.configurationId ?? '')) }
  // The expression prevents the use of the index on configurations, because a user has fewer credentials.
  const ofConfiguration = configurationId && sql`${credentials.configurationId} || '' = ${configurationId}`
  return { table, of: and(issued, eq(credentials.userId, userId), ofConfiguration || undefined) }
}
