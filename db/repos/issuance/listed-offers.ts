import { and, asc, eq, gt, gte, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { plusMs } from '../../../shared/clock.ts'
import type { Reader } from '../../client.ts'
import { inRow, lookedAt } from '../../columns.ts'
import { listPage } from '../../list-page.ts'
import { afterCursor, type Cursor, cutPage, untilCursor, type Walked } from '../../page.ts'
import { longestOfferMs, type OfferState, offers } from '../../tables/issuance/offers.ts'
import { sharedOfferConfigurations, sharedOffers } from '../../tables/issuance/shared-offers.ts'

export const offerStates = ['usable', 'spent', 'claimed', 'ended', 'expired'] as const satisfies (
  | OfferState
  | 'expired'
)[]

/** An offer of either kind, as lists show it. */
export interface ListedOffer {
  id: string
  kind: 'authorization-code' | 'pre-authorized'
  state: (typeof offerStates)[number]
  configurationIds: string[]
  /** Null of an offer that is everybody's; such a one does not expire either. */
  userId: string | null
  expiresAt: Date | null
  createdAt: Date
}

export interface OffersAsked {
  limit: number
  cursor?: Cursor | undefined
  state?: ListedOffer['state'] | undefined
  configurationId?: string | undefined
}

/**
 * A tenant's offers of both kinds, oldest first. Pre-authorized ones, of which there can be any number, are looked at one by one where
 * they are to be in a state or of a configuration: such a page may be short, even empty, and still have a `next`.
 */
export async function listOffers(
  db: Reader,
  tenantId: string,
  asked: OffersAsked,
  at: Date,
): Promise<Walked<ListedOffer>> {
  const { rows, end } = await listPreAuthorized(db, tenantId, asked, at)
  // What is behind the end of the walk is of the next page.
  const shared = (await listShared(db, tenantId, asked)).filter(({ createdAt, id }) => {
    return !end || createdAt < end.at || (createdAt.getTime() === end.at.getTime() && id <= end.id)
  })
  const merged = [...rows, ...shared].sort(oldestFirst).slice(0, asked.limit + 1)
  return cutPage(merged, asked.limit, ({ createdAt, id }) => ({ at: createdAt, id }), end)
}

/** One offer of either kind; undefined for one that is deleted. */
export async function findListedOffer(
  db: Reader,
  tenantId: string,
  id: string,
  at: Date,
): Promise<ListedOffer | undefined> {
  const [own] = await db
    .select(listed)
    .from(offers)
    .where(and(inRow(offers.tenantId, tenantId), eq(offers.id, id)))
  if (own) return ofOne(own, at)
  const [shared] = await db
    .select()
    .from(sharedOffers)
    .where(and(inRow(sharedOffers.tenantId, tenantId), eq(sharedOffers.id, id)))
  return shared?.deletedAt === null ? ofAnybody(shared) : undefined
}

const listed = {
  id: offers.id,
  userId: offers.userId,
  state: offers.state,
  configurationIds: offers.configurationIds,
  expiresAt: offers.expiresAt,
  createdAt: offers.createdAt,
}

function ofOne(row: Pick<typeof offers.$inferSelect, keyof typeof listed>, at: Date): ListedOffer {
  const isExpired = row.state === 'usable' && row.expiresAt <= at
  return { ...row, kind: 'pre-authorized', state: isExpired ? 'expired' : row.state }
}

function ofAnybody({ id, configurationIds, createdAt }: ListedShared): ListedOffer {
  return { id, kind: 'authorization-code', state: 'usable', configurationIds, userId: null, expiresAt: null, createdAt }
}

type ListedShared = Pick<typeof sharedOffers.$inferSelect, 'id' | 'configurationIds' | 'createdAt'>

function oldestFirst(left: ListedOffer, right: ListedOffer): number {
  return left.createdAt.getTime() - right.createdAt.getTime() || (left.id < right.id ? -1 : 1)
}

/** Those that are deleted are in no list. */
async function listShared(
  db: Reader,
  tenantId: string,
  { limit, cursor, state, configurationId }: OffersAsked,
): Promise<ListedOffer[]> {
  if (state !== undefined && state !== 'usable') return []
  const rows =
    configurationId === undefined
      ? await listPage(db, sharedOffers, tenantId, { limit, cursor }, isNull(sharedOffers.deletedAt))
      : await listSharedOf(db, tenantId, configurationId, { limit, cursor })
  return rows.map(ofAnybody)
}

async function listSharedOf(
  db: Reader,
  tenantId: string,
  configurationId: string,
  { limit, cursor }: Pick<OffersAsked, 'limit' | 'cursor'>,
) {
  const { createdAt, offerId } = sharedOfferConfigurations
  return db
    .select({ id: sharedOffers.id, configurationIds: sharedOffers.configurationIds, createdAt: sharedOffers.createdAt })
    .from(sharedOfferConfigurations)
    .innerJoin(
      sharedOffers,
      and(eq(sharedOffers.id, offerId), inRow(sharedOffers.tenantId, sharedOfferConfigurations.tenantId)),
    )
    .where(
      and(
        eq(sharedOfferConfigurations.tenantId, tenantId),
        eq(sharedOfferConfigurations.configurationId, configurationId),
        afterCursor(createdAt, offerId, cursor),
      ),
    )
    .orderBy(asc(createdAt), asc(offerId))
    .limit(limit + 1)
}

/** Rows that one page looks at when only their content can tell whether they are wanted. */
const walkedAtMost = 2_000

async function listPreAuthorized(
  db: Reader,
  tenantId: string,
  { limit, cursor, state, configurationId }: OffersAsked,
  at: Date,
): Promise<{ rows: ListedOffer[]; end: Cursor | undefined }> {
  const { createdAt, id } = offers
  const range = and(eq(offers.tenantId, tenantId), ...beginning(cursor, state, at))
  const wanted = [...inState(state, at), ...ofConfiguration(configurationId)]
  const end = wanted.length > 0 ? await findWalkEnd(db, range) : undefined
  const rows = await db
    .select(listed)
    .from(offers)
    .where(and(range, end && lte(createdAt, end.at), untilCursor(createdAt, id, end), ...wanted))
    .orderBy(asc(createdAt), asc(id))
    .limit(limit + 1)
  return { rows: rows.map((row) => ofOne(row, at)), end }
}

/**
 * Where the walk begins. PostgreSQL does not know how many rows are behind a pair of columns, and begins at the first condition of
 * several: there is one, and the time besides.
 */
function beginning(cursor: Cursor | undefined, state: ListedOffer['state'] | undefined, at: Date): (SQL | undefined)[] {
  // None of those that were made before can be usable.
  const since = state === 'usable' ? plusMs(at, -longestOfferMs) : undefined
  if (since && !(cursor && cursor.at >= since)) return [gte(offers.createdAt, since)]
  return cursor ? [gte(offers.createdAt, cursor.at), afterCursor(offers.createdAt, offers.id, cursor)] : []
}

function inState(state: ListedOffer['state'] | undefined, at: Date): SQL[] {
  if (state === undefined) return []
  if (state === 'usable') return [lookedAt(eq(offers.state, 'usable')), lookedAt(gt(offers.expiresAt, at))]
  if (state === 'expired') return [lookedAt(eq(offers.state, 'usable')), lookedAt(lte(offers.expiresAt, at))]
  return [lookedAt(eq(offers.state, state))]
}

/** By the text of the list: an id is a UUID, which has nothing in it that LIKE reads otherwise. */
function ofConfiguration(configurationId: string | undefined): SQL[] {
  if (configurationId === undefined) return []
  return [sql`cast(${offers.configurationIds} as text) like ${`%"${configurationId}"%`}`]
}

/** The last row that the page may look at; undefined where there are no more behind it. The index has all that is asked. */
async function findWalkEnd(db: Reader, range: SQL | undefined): Promise<Cursor | undefined> {
  const { createdAt, id } = offers
  const [row] = await db
    .select({ at: createdAt, id })
    .from(offers)
    .where(range)
    .orderBy(asc(createdAt), asc(id))
    .limit(1)
    .offset(walkedAtMost - 1)
  return row
}
