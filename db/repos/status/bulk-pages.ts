import { setImmediate } from 'node:timers/promises'
import { and, asc, eq, gt, gte, lte, type SQL, sql } from 'drizzle-orm'
import type { Reader } from '../../client.ts'
import { afterCursor, type Cursor } from '../../page.ts'
import { credentials } from '../../tables/issuance/credentials.ts'
import type { BulkFilter } from '../../tables/status/bulks.ts'

/**
 * Where a walk over the credentials of a filter goes on: in a configuration, or among those of the user, behind a credential.
 * Without a configuration or user in the filter, the configurations are walked one after the other.
 */
export interface BulkPlace {
  configurationId?: string
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
    if (!isIn(filter, place)) return { rows: ids }
    const rows = await db
      .select({ id: credentials.id, at: credentials.issuedAt })
      .from(credentials)
      .where(
        and(strand(tenantId, filter, place, until), afterCursor(credentials.issuedAt, credentials.id, place.after)),
      )
      .orderBy(asc(credentials.issuedAt), asc(credentials.id))
      .limit(most - ids.length)
    ids.push(...rows.map(({ id }) => id))
    const last = rows.at(-1)
    if (ids.length === most && last) return { rows: ids, next: { ...place, after: { at: last.at, id: last.id } } }
    if (isOneStrand(filter)) return { rows: ids }
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
  while (isIn(filter, place) && count < most) {
    const size = Math.min(atOnce, most - count)
    const rest = and(
      strand(tenantId, filter, place, until),
      afterCursor(credentials.issuedAt, credentials.id, place.after),
    )
    const [last] = await db
      .select({ id: credentials.id, at: credentials.issuedAt })
      .from(credentials)
      .where(rest)
      .orderBy(asc(credentials.issuedAt), asc(credentials.id))
      .limit(1)
      .offset(size - 1)
    count += last ? size : await db.$count(credentials, rest)
    if (!last && isOneStrand(filter)) break
    place = last ? { ...place, after: last } : await placeBehind(db, tenantId, place.configurationId ?? '')
    await setImmediate()
  }
  return count
}

/** All of it is one range of an index. */
const isOneStrand = ({ userId, configurationId }: BulkFilter) => userId !== undefined || configurationId !== undefined

const isIn = (filter: BulkFilter, place: BulkPlace) => isOneStrand(filter) || place.configurationId !== undefined

async function firstPlace(db: Reader, tenantId: string, filter: BulkFilter): Promise<BulkPlace> {
  if (filter.userId !== undefined) return {}
  if (filter.configurationId !== undefined) return { configurationId: filter.configurationId }
  return placeBehind(db, tenantId, '')
}

/** Where the next configuration begins of which something was issued; it may be deleted by now. */
async function placeBehind(db: Reader, tenantId: string, configurationId: string): Promise<BulkPlace> {
  const [row] = await db
    .select({ configurationId: credentials.configurationId })
    .from(credentials)
    .where(and(eq(credentials.tenantId, tenantId), gt(credentials.configurationId, configurationId)))
    .orderBy(asc(credentials.configurationId))
    .limit(1)
  return row ?? {}
}

function strand(tenantId: string, filter: BulkFilter, place: BulkPlace, until: Date): SQL | undefined {
  const { userId, configurationId, issuedFrom, issuedTo } = filter
  const end = issuedTo === undefined ? until : new Date(Math.min(issuedTo, until.getTime()))
  return and(
    eq(credentials.tenantId, tenantId),
    userId === undefined
      ? eq(credentials.configurationId, place.configurationId ?? '')
      : and(
          eq(credentials.userId, userId),
          // Looked at, and not looked up: of a user there are few, of a configuration there may be millions.
          configurationId === undefined ? undefined : sql`${credentials.configurationId} || '' = ${configurationId}`,
        ),
    issuedFrom === undefined ? undefined : gte(credentials.issuedAt, new Date(issuedFrom)),
    lte(credentials.issuedAt, end),
  )
}
