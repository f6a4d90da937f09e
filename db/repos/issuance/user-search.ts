import { and, asc, eq, sql } from 'drizzle-orm'
import type { Reader } from '../../client.ts'
import { alias } from '../../columns.ts'
import { afterCursor, type Cursor, cutPage, untilCursor, type Walked } from '../../page.ts'
import { userClaimTerms } from '../../tables/issuance/user-claim-terms.ts'
import type { Claims } from '../../tables/issuance/users.ts'
import { hasClaims, termsOfCriteria, termsOfProvider } from './claim-terms.ts'
import { findUsers, listUsers, type User } from './users.ts'

export interface UserCriteria {
  claims?: Claims | undefined
  provider?: ProviderCriteria | undefined
}

interface ProviderCriteria {
  providerId?: string | undefined
  subjectId?: string | undefined
}

/** Index rows that one page walks: the bound of its cost, whatever the criteria and however many users there are. */
const walkedAtMost = 1_000

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
): Promise<Walked<User>> {
  const terms = [...termsOfCriteria(claims), ...termsOfProvider(provider)]
  if (terms.length === 0) return cutPage(await listUsers(db, tenantId, limit, cursor), limit, cursorOf)

  const walk = await chooseWalk(db, tenantId, terms, cursor)
  const walked = await walkTerm(db, tenantId, walk, terms, limit, cursor)
  const { rows: candidates, ...next } = cutPage(walked, limit, cursorOf, walk.until)
  const ids = candidates.map(({ id }) => id)
  const users = await findUsers(db, tenantId, ids)
  return { rows: users.filter((user) => hasClaims(user.claims, claims) && hasProvider(user, provider)), ...next }
}

const cursorOf = ({ createdAt, id }: { createdAt: Date; id: string }): Cursor => ({ at: createdAt, id })

interface Walk {
  term: string
  /** Where it ends, if not at the end of the term's rows. */
  until?: Cursor
}

/**
 * The term to walk: the only one, without an end, for all its rows are wanted; one that has few rows left; or, where all
 * have many, the one whose rows lie furthest apart.
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

function hasProvider(user: User, { providerId, subjectId }: ProviderCriteria): boolean {
  return (
    (providerId === undefined || user.providerId === providerId) &&
    (subjectId === undefined || user.subjectId === subjectId)
  )
}
