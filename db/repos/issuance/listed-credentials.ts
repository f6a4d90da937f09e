import { and, eq, gt, gte, inArray, isNull, lte, or, type SQL, sql } from 'drizzle-orm'
import type { CredentialProfile } from '../../../shared/domain/issuance/profiles.ts'
import type { Reader } from '../../client.ts'
import { dialect, inRow } from '../../columns.ts'
import { type Cursor, cutPage, directions, type SortOrder, type Walked } from '../../page.ts'
import { credentials } from '../../tables/issuance/credentials.ts'
import type { CredentialRow } from './issuances.ts'

/** The states of a list. A credential is in one of them. Only a valid one expires. */
export const credentialStates = ['valid', 'revoked', 'suspended', 'expired'] as const

export interface CredentialQuery {
  /** Absent: all configurations, also deleted ones. */
  configurationId?: string | undefined
  /** Both inclusive. */
  issuedFrom?: Date | undefined
  issuedTo?: Date | undefined
  state?: (typeof credentialStates)[number] | undefined
  profile?: CredentialProfile | undefined
  type?: string | undefined
  signerId?: string | undefined
  order?: SortOrder
  limit: number
  cursor?: Cursor | undefined
}

/** The number of credentials that a page examines if only their content shows whether they match. */
const maxWalked = 2_000

/** The maximum number of configurations of a tenant that have credentials, for a page of all of them. */
export const maxListedConfigurations = 10_000

const { id, issuedAt, configurationId: ofConfiguration } = credentials

/**
 * Returns the issued credentials of a tenant, oldest first by default. There is no index on the time of all credentials, because
 * it would cost each issuance. The credentials of all configurations are merged from the index of each configuration.
 * A filter by state, profile, type or signer examines the credentials one by one, so a page may be short or empty and still have a `next`.
 * Returns undefined if too many configurations have credentials.
 */
export async function listCredentials(
  db: Reader,
  tenantId: string,
  query: CredentialQuery,
  at: Date,
): Promise<Walked<CredentialRow> | undefined> {
  const { limit, order = 'oldest' } = query
  const conditions = contentOf(query, at)
  const size = conditions.length > 0 ? maxWalked : limit
  const step = await findStep(db, tenantId, { ...query, order, limit: size })
  if (!step) return undefined
  const rows = await findRows(db, tenantId, step.rows, { conditions, order, limit: limit + 1 })
  return cutPage(rows, limit, cursorOf, step.next)
}

/** The conditions that no index has. */
function contentOf({ state, profile, type, signerId }: CredentialQuery, at: Date): SQL[] {
  const { status, validUntil } = credentials
  const isIn = {
    valid: and(eq(status, 'valid'), or(isNull(validUntil), gt(validUntil, at))),
    revoked: eq(status, 'invalid'),
    suspended: eq(status, 'suspended'),
    expired: and(eq(status, 'valid'), lte(validUntil, at)),
  }
  const conditions = [
    state && isIn[state],
    profile && eq(credentials.profile, profile),
    type === undefined ? undefined : eq(credentials.type, type),
    signerId === undefined ? undefined : eq(credentials.signerId, signerId),
  ]
  return conditions.filter((each) => each !== undefined)
}

const cursorOf = (row: { id: string; issuedAt: Date }): Cursor => ({ at: row.issuedAt, id: row.id })

type Step = CredentialQuery & { order: SortOrder }

type Position = Pick<CredentialRow, 'id' | 'issuedAt'>

/** Returns the positions of the next credentials, at most `limit`. Undefined if too many configurations have credentials. */
async function findStep(db: Reader, tenantId: string, step: Step): Promise<Walked<Position> | undefined> {
  if (step.configurationId !== undefined)
    return cutPage(await ofOne(db, tenantId, step, eq(ofConfiguration, step.configurationId)), step.limit, cursorOf)
  const heads = await findHeads(db, tenantId, step)
  if (heads.length > maxListedConfigurations) return undefined
  const { profile, limit } = step
  const headsOfProfile = profile === undefined ? heads : heads.filter((head) => head.profile === profile)
  return cutPage(await merge(db, tenantId, step, headsOfProfile), limit, cursorOf)
}

/** Returns the positions of one configuration, with one more than the limit. */
function ofOne(db: Reader, tenantId: string, { limit, order, ...range }: Step, ...of: (SQL | undefined)[]) {
  const { by } = directions[order]
  return db
    .select({ id, issuedAt })
    .from(credentials)
    .where(and(eq(credentials.tenantId, tenantId), ...of, ...within({ ...range, order })))
    .orderBy(by(issuedAt), by(id))
    .limit(limit + 1)
}

/**
 * The conditions on the position. PostgreSQL cannot estimate the rows after a pair of columns and uses the first of several
 * conditions. So there is one condition on the pair and one on the time.
 */
function within({ issuedFrom, issuedTo, cursor, order }: Omit<Step, 'limit'>): (SQL | undefined)[] {
  const { from, behind } = directions[order]
  return [
    issuedFrom && gte(issuedAt, issuedFrom),
    issuedTo && lte(issuedAt, issuedTo),
    cursor && from(issuedAt, cursor.at),
    behind(issuedAt, id, cursor),
  ]
}

interface Head {
  configurationId: string
  /** The time of its first credential in the range. Null if it has none. */
  at: Date | null
  /** All its credentials have this profile. Null if no profile is searched. */
  profile: CredentialProfile | null
}

/** Returns the configurations that have credentials. Each takes two or three lookups in the index. */
async function findHeads(db: Reader, tenantId: string, step: Step): Promise<Head[]> {
  const least = (condition?: SQL) =>
    sql`select min(${ofConfiguration}) as id from ${credentials} where ${and(eq(credentials.tenantId, tenantId), condition)}`
  const own = sql`with recursive own(id, number) as (
    select first.id, 1 from (${least()}) as first union all
    select (${least(sql`${ofConfiguration} > own.id`)}), number + 1 from own
    where own.id is not null and number <= ${maxListedConfigurations}
  ) select id from own where id is not null`
  const { by } = directions[step.order]
  const ofOwn = and(eq(credentials.tenantId, tenantId), eq(ofConfiguration, sql`own.id`))
  const first = db
    .select({ issuedAt })
    .from(credentials)
    .where(and(ofOwn, ...within(step)))
    .orderBy(by(issuedAt), by(id))
    .limit(1)
  const { profile } = credentials
  const any = step.profile ? db.select({ profile }).from(credentials).where(ofOwn).limit(1) : sql`null`
  return db
    .select({
      configurationId: sql<string>`own.id`,
      at: sql<Date | null>`(${first})`.mapWith(issuedAt),
      profile: sql<CredentialProfile | null>`(${any})`,
    })
    .from(sql`(${own}) as own`)
}

/** The number of configurations that a merge reads first. It then reads twice as many each time. */
const firstGroup = 4

/**
 * Returns the first positions of all configurations, with one more than the limit. Reads the configurations in the order of their
 * first credentials, and stops when the others have none of the positions.
 */
async function merge(db: Reader, tenantId: string, step: Step, heads: Head[]): Promise<Position[]> {
  const { limit, order } = step
  const sign = order === 'newest' ? -1 : 1
  const compare = (left: Date, right: Date) => sign * (left.getTime() - right.getTime())
  const firsts = heads
    .flatMap(({ configurationId, at }) => (at ? [{ configurationId, at }] : []))
    .sort((left, right) => compare(left.at, right.at))
  let positions: Position[] = []
  for (let start = 0, size = firstGroup; start < firsts.length; start += size, size = start + firstGroup) {
    const group = firsts.slice(start, start + size)
    const bound = positions[limit]?.issuedAt ?? firsts[limit]?.at
    if (bound && group[0] && compare(group[0].at, bound) > 0) break
    const ids = group.map(({ configurationId }) => configurationId)
    // Ids are ASCII, so that they compare like in the databases.
    positions = [...positions, ...(await ofSeveral(db, tenantId, step, ids, bound))]
      .sort((left, right) => compare(left.issuedAt, right.issuedAt) || sign * (left.id < right.id ? -1 : 1))
      .slice(0, limit + 1)
  }
  return positions
}

/** Returns the first positions of some configurations up to `bound`, with one more than the limit. */
function ofSeveral(db: Reader, tenantId: string, step: Step, ids: string[], bound: Date | undefined) {
  const { upTo, by } = directions[step.order]
  const page = ofOne(db, tenantId, step, eq(ofConfiguration, sql`own.column1`), bound && upTo(issuedAt, bound))
  // Both databases give the column of VALUES this name.
  const values = ids.map((each) => sql`(${each})`)
  const own = sql`(values ${sql.join(values, sql`, `)}) as own`
  // Drizzle does not know the table of these columns.
  const all = db.select({ id: sql<string>`${id}`, issuedAt: sql<Date>`${issuedAt}`.mapWith(issuedAt) })
  const joined =
    dialect === 'postgres'
      ? all.from(sql`${own} cross join lateral (${page}) as ${credentials}`)
      : all.from(sql`${own} cross join ${credentials}`).where(sql`${id} in (select id from (${page}))`)
  return joined.orderBy(by(issuedAt), by(id)).limit(step.limit + 1)
}

/** Returns the credentials at these positions that meet the conditions. */
async function findRows(
  db: Reader,
  tenantId: string,
  positions: Position[],
  { conditions, order, limit }: { conditions: SQL[]; order: SortOrder; limit: number },
): Promise<CredentialRow[]> {
  if (positions.length === 0) return []
  const { by } = directions[order]
  const ids = positions.map((each) => each.id)
  return db
    .select()
    .from(credentials)
    .where(and(inRow(credentials.tenantId, tenantId), inArray(id, ids), ...conditions))
    .orderBy(by(issuedAt), by(id))
    .limit(limit)
}
