import { and, asc, eq, sql } from 'drizzle-orm'
import type { Reader } from '../../../client.ts'
import { alias } from '../../../columns.ts'
import { afterCursor, type Cursor, cutPage, untilCursor, type Walked } from '../../../page.ts'
import { userClaimTerms } from '../../../tables/issuance/user-claim-terms.ts'
import type { Claims } from '../../../tables/issuance/users.ts'
import { hasClaims, termsOfCriteria, termsOfProvider } from './claim-terms.ts'
import { findUsers, listUsers, listUsersByLabel, type User } from './users.ts'

export interface UserCriteria {
  claims?: Claims | undefined
  provider?: ProviderCriteria | undefined
  label?: string | undefined
  ids?: string[] | undefined
}

interface ProviderCriteria {
  providerId?: string | undefined
  subjectId?: string | undefined
}

/** The maximum number of index rows that one page reads. It limits the cost for any criteria and number of users. */
const walkedAtMost = 1_000

/**
 * Finds the users that match all criteria, oldest first. Walks the index rows of the rarest term, looks up the others in
 * the index, and compares the matches with the user itself. If all terms are common but few users have all of them, the
 * page ends early. It may be short or empty and still have a `next`.
 */
export async function searchUsers(
  db: Reader,
  tenantId: string,
  criteria: UserCriteria,
  limit: number,
  cursor?: Cursor,
): Promise<Walked<User>> {
  const { claims = {}, provider = {}, label, ids } = criteria
  if (ids) {
    const users = await findUsers(db, tenantId, ids)
    return { rows: users.filter((user) => matches(user, criteria) && hasLabel(user, label)) }
  }
  if (label !== undefined) return searchByLabel(db, tenantId, { ...criteria, label }, limit, cursor)
  const terms = [...termsOfCriteria(claims), ...termsOfProvider(provider)]
  if (terms.length === 0) return cutPage(await listUsers(db, tenantId, limit, cursor), limit, cursorOf)

  const walk = await chooseWalk(db, tenantId, terms, cursor)
  const walked = await walkTerm(db, tenantId, walk, terms, limit, cursor)
  const { rows: candidates, ...next } = cutPage(walked, limit, cursorOf, walk.until)
  const users = await findUsers(
    db,
    tenantId,
    candidates.map((each) => each.id),
  )
  return { rows: users.filter((user) => matches(user, criteria)), ...next }
}

/** Walks the users with the label. Few users have the same. */
async function searchByLabel(
  db: Reader,
  tenantId: string,
  criteria: UserCriteria & { label: string },
  limit: number,
  cursor?: Cursor,
): Promise<Walked<User>> {
  const labelled = await listUsersByLabel(db, tenantId, criteria.label, limit, cursor)
  const { rows, ...next } = cutPage(labelled, limit, cursorOf)
  return { rows: rows.filter((user) => matches(user, criteria)), ...next }
}

const cursorOf = ({ createdAt, id }: { createdAt: Date; id: string }): Cursor => ({ at: createdAt, id })

interface Walk {
  term: string
  /** The end of the walk, if it is not the end of the term's rows. */
  until?: Cursor
}

/**
 * Selects the term to walk. A single term is walked without an end, because all its rows match. Otherwise it is a term
 * with few rows left, or the term whose rows are furthest apart.
 */
async function chooseWalk(db: Reader, tenantId: string, terms: string[], cursor: Cursor | undefined): Promise<Walk> {
  const [only, ...others] = terms
  if (only !== undefined && others.length === 0) return { term: only }
  for (const few of [50, 500]) {
    const walks = await walksOf(db, tenantId, terms, few, cursor)
    const ending = walks.find(({ until }) => !until)
    if (ending) return ending
  }
  const walks = await walksOf(db, tenantId, terms, walkedAtMost, cursor)
  return walks.reduce((best, each) => (isBefore(best.until, each.until) ? each : best))
}

function walksOf(db: Reader, tenantId: string, terms: string[], length: number, cursor: Cursor | undefined) {
  return Promise.all(
    terms.map(async (term): Promise<Walk> => {
      const [row] = await db
        .select({ at: userClaimTerms.createdAt, id: userClaimTerms.userId })
        .from(userClaimTerms)
        .where(
          and(
            eq(userClaimTerms.tenantId, tenantId),
            eq(userClaimTerms.term, term),
            afterCursor(userClaimTerms.createdAt, userClaimTerms.userId, cursor),
          ),
        )
        .orderBy(asc(userClaimTerms.createdAt), asc(userClaimTerms.userId))
        .limit(1)
        .offset(length - 1)
      return { term, ...(row ? { until: row } : {}) }
    }),
  )
}

/** An absent end is after all others. A walk without an end is preferred. */
function isBefore(a: Cursor | undefined, b: Cursor | undefined): boolean {
  if (!a || !b) return a !== undefined
  return a.at < b.at || (a.at.getTime() === b.at.getTime() && a.id < b.id)
}

async function walkTerm(
  db: Reader,
  tenantId: string,
  { term, until }: Walk,
  terms: string[],
  limit: number,
  cursor: Cursor | undefined,
) {
  const others = terms.filter((each) => each !== term)
  return db
    .select({ createdAt: userClaimTerms.createdAt, id: userClaimTerms.userId })
    .from(userClaimTerms)
    .where(
      and(
        eq(userClaimTerms.tenantId, tenantId),
        eq(userClaimTerms.term, term),
        afterCursor(userClaimTerms.createdAt, userClaimTerms.userId, cursor),
        untilCursor(userClaimTerms.createdAt, userClaimTerms.userId, until),
        ...others.map((other) => sameUserHas(db, other)),
      ),
    )
    .orderBy(asc(userClaimTerms.createdAt), asc(userClaimTerms.userId))
    .limit(limit + 1)
}

const same = alias(userClaimTerms, 'same')

/** Looks up the term for each row. The limit prevents PostgreSQL from joining all rows of the other term. */
function sameUserHas(db: Reader, term: string) {
  const lookUp = db
    .select({ one: sql`1` })
    .from(same)
    .where(
      and(
        eq(same.tenantId, userClaimTerms.tenantId),
        eq(same.term, term),
        eq(same.createdAt, userClaimTerms.createdAt),
        eq(same.userId, userClaimTerms.userId),
      ),
    )
    .limit(1)
  return sql`${lookUp} = 1`
}

/** Compares all criteria but the label, which the query has compared. */
function matches(user: User, { claims = {}, provider = {} }: UserCriteria): boolean {
  return hasClaims(user.claims, claims) && hasProvider(user, provider)
}

function hasLabel(user: User, label: string | undefined): boolean {
  return label === undefined || user.label?.toLowerCase() === label.toLowerCase()
}

function hasProvider(user: User, { providerId, subjectId }: ProviderCriteria): boolean {
  return (
    (providerId === undefined || user.providerId === providerId) &&
    (subjectId === undefined || user.subjectId === subjectId)
  )
}
