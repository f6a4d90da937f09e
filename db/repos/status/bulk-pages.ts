import { setImmediate } from 'node:timers/promises'
import { and, asc, eq, gt, gte, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../../client.ts'
import { afterCursor, type Cursor } from '../../page.ts'
import { signedCredentials } from '../../tables/credentials/signed-credentials.ts'
import { credentials } from '../../tables/issuance/credentials.ts'
import type { BulkFilter } from '../../tables/status/bulks.ts'

/**
 * Where a walk over the credentials of a filter goes on: in a configuration, or among those of the user, behind a credential.
 * Without a configuration or user in the filter, the configurations are walked one after the other, and last those that were
 * signed directly, which have neither.
 */
export interface BulkPlace {
  configurationId?: string
  isDirect?: true
  after?: Cursor
}

export interface BulkPage {
  /** Their ids. */
  rows: string[]
  /** Absent when there are no more. */
  next?: BulkPlace
}

interface Walk {
  filter: BulkFilter
  /** Those that were issued later are not meant. */
  until: Date
  from?: BulkPlace | undefined
  most: number
}

/** The next credentials of a filter, by their ids. Each page walks an index, however many credentials there are. */
export async function findBulkPage(
  db: Reader,
  tenantId: string,
  { filter, until, from, most }: Walk,
): Promise<BulkPage> {
  const ids: string[] = []
  let place = from ?? { ...(await firstPlace(db, tenantId, filter)) }
  for (;;) {
    const { table, of } = strand(tenantId, filter, place, until)
    const rows = await db
      .select({ id: table.id, at: table.issuedAt })
      .from(table)
      .where(and(of, afterCursor(table.issuedAt, table.id, place.after)))
      .orderBy(asc(table.issuedAt), asc(table.id))
      .limit(most - ids.length)
    ids.push(...rows.map(({ id }) => id))
    const last = rows.at(-1)
    if (ids.length === most && last) return { rows: ids, next: { ...place, after: { at: last.at, id: last.id } } }
    if (isLast(filter, place)) return { rows: ids }
    place = await placeBehind(db, tenantId, place.configurationId ?? '')
  }
}

/**
 * How many credentials a filter is about; `most` if there are more, so that asking costs no more than that. They are counted
 * `atOnce`, and others have their turn in between: on SQLite the process stands still while it asks.
 */
export async function countBulk(
  db: Reader,
  tenantId: string,
  { filter, until }: Pick<Walk, 'filter' | 'until'>,
  { most, atOnce }: { most: number; atOnce: number },
): Promise<number> {
  let count = 0
  let place = await firstPlace(db, tenantId, filter)
  while (count < most) {
    const size = Math.min(atOnce, most - count)
    const { table, of } = strand(tenantId, filter, place, until)
    const rest = and(of, afterCursor(table.issuedAt, table.id, place.after))
    const [last] = await db
      .select({ id: table.id, at: table.issuedAt })
      .from(table)
      .where(rest)
      .orderBy(asc(table.issuedAt), asc(table.id))
      .limit(1)
      .offset(size - 1)
    count += last ? size : await db.$count(table, rest)
    if (!last && isLast(filter, place)) break
    place = last ? { ...place, after: last } : await placeBehind(db, tenantId, place.configurationId ?? '')
    await setImmediate()
  }
  return count
}

/** All of it is one range of an index. */
const isOneStrand = ({ userId, configurationId }: BulkFilter) => userId !== undefined || configurationId !== undefined

const isLast = (filter: BulkFilter, { isDirect }: BulkPlace) => isOneStrand(filter) || isDirect === true

async function firstPlace(db: Reader, tenantId: string, filter: BulkFilter): Promise<BulkPlace> {
  if (filter.userId !== undefined) return {}
  if (filter.configurationId !== undefined) return { configurationId: filter.configurationId }
  return placeBehind(db, tenantId, '')
}

/** Where the next configuration begins of which something was issued, which may be deleted by now; behind the last of them the rest. */
async function placeBehind(db: Reader, tenantId: string, configurationId: string): Promise<BulkPlace> {
  const [row] = await db
    .select({ configurationId: credentials.configurationId })
    .from(credentials)
    .where(and(eq(credentials.tenantId, tenantId), gt(credentials.configurationId, configurationId)))
    .orderBy(asc(credentials.configurationId))
    .limit(1)
  return row ?? { isDirect: true }
}

interface Strand {
  table: typeof credentials | typeof signedCredentials
  of: SQL | undefined
}

function strand(tenantId: string, filter: BulkFilter, place: BulkPlace, until: Date): Strand {
  const { userId, configurationId, issuedFrom, issuedTo } = filter
  const table = place.isDirect ? signedCredentials : credentials
  const end = issuedTo === undefined ? until : new Date(Math.min(issuedTo, until.getTime()))
  const issued = and(
    eq(table.tenantId, tenantId),
    issuedFrom === undefined ? undefined : gte(table.issuedAt, new Date(issuedFrom)),
    lte(table.issuedAt, end),
  )
  if (place.isDirect) return { table, of: and(issued, isNull(signedCredentials.calledOffAt)) }
  if (userId === undefined)
    return { table, of: and(issued, eq(credentials.configurationId, place.configurationId ?? '')) }
  // Looked at, and not looked up: of a user there are few, of a configuration there may be millions.
  const ofConfiguration = configurationId && sql`${credentials.configurationId} || '' = ${configurationId}`
  return { table, of: and(issued, eq(credentials.userId, userId), ofConfiguration || undefined) }
}
