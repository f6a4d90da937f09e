import { and, asc, eq, sql } from 'drizzle-orm'
import { hasClaims, termsOfCriteria, termsOfProvider } from '../claim-terms.ts'
import type { Reader } from '../client.ts'
import { alias } from '../columns.ts'
import { afterCursor, type Cursor, untilCursor } from '../page.ts'
import { type Claims, userClaimTerms } from '../tables/users.ts'
import { findUsers, listUsers, type ProviderSubject, type User } from './users.ts'

export interface UserCriteria {
  claims?: Claims
  provider?: Partial<ProviderSubject>
}

export interface UsersFound {
  users: User[]
  /** Where the next page starts; absent when there is nothing more to look at. */
  next?: Cursor
}

/** Index rows that one page walks: the bound of its cost, whatever the criteria and however many users there are. */
const walkedAtMost = 20_000

/**
 * The users that match all criteria, oldest first. The rarest term is walked and the others are looked up, all in the
 * index; what is found is then compared with the user itself. Where every term is common and hardly any user has all of
 * them, a page ends early: it may be short, even empty, and still have a `next`.
 */
export async function searchUsers(
  db: Reader,
  tenantId: string,
  { claims = {}, provider = {} }: UserCriteria,
  limit: number,
  cursor?: Cursor,
): Promise<UsersFound> {
  const terms = [...termsOfCriteria(claims), ...termsOfProvider(provider)]
  if (terms.length === 0) return firstOf(await listUsers(db, tenantId, limit, cursor), limit)

  const walk = await chooseWalk(db, tenantId, terms, cursor)
  const found = await walkTerm(db, tenantId, walk, terms, limit, cursor)
  const { users: candidates, next = walk.until } = firstOf(found, limit)
  const ids = candidates.map(({ id }) => id)
  const users = (await findUsers(db, tenantId, ids)).filter(
    (user) => hasClaims(user.claims, claims) && hasProvider(user, provider),
  )
  return { users, ...(next ? { next } : {}) }
}

/** The first `limit` of rows that were read with one more, and where they end if there is that one. */
function firstOf<Row extends { createdAt: Date; id: string }>(
  rows: Row[],
  limit: number,
): { users: Row[]; next?: Cursor } {
  const users = rows.slice(0, limit)
  const last = users.at(-1)
  return { users, ...(rows.length > limit && last ? { next: { at: last.createdAt, id: last.id } } : {}) }
}

interface Walk {
  term: string
  /** Where it ends, if not at the end of the term's rows. */
  until?: Cursor
}

/** A term that has few rows left; where all have many, the one whose rows lie furthest apart. */
async function chooseWalk(db: Reader, tenantId: string, terms: string[], cursor: Cursor | undefined): Promise<Walk> {
  for (const few of [50, 1_000]) {
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

/** Nothing is after everything: a walk that ends by itself is the best there is. */
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

/** A look-up per row: the limit keeps PostgreSQL from making it a join over all rows of the other term. */
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

function hasProvider(user: User, { providerId, subjectId }: Partial<ProviderSubject>): boolean {
  return (
    (providerId === undefined || user.providerId === providerId) &&
    (subjectId === undefined || user.subjectId === subjectId)
  )
}
