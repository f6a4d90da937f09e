import { and, eq, gt, gte, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { plusMs } from '../../../shared/clock.ts'
import type { Reader } from '../../client.ts'
import { inRow, withoutIndex } from '../../columns.ts'
import { type Cursor, cutPage, directions, type Order, type Walked } from '../../page.ts'
import { maxOfferMs, type OfferState, offers } from '../../tables/issuance/offers.ts'
import { sharedOfferConfigurations, sharedOffers } from '../../tables/issuance/shared-offers.ts'
import { listPage } from '../list-page.ts'

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
  order?: Order
}

/**
 * A tenant's offers of both kinds, oldest first unless told otherwise. Pre-authorized ones, of which there can be any number, are looked at one by one where
 * they are to be in a state or of a configuration: such a page may be short, even empty, and still have a `next`.
 */
export async function listOffers(
  db: Reader,
  tenantId: string,
  asked: OffersAsked,
  at: Date,
): Promise<Walked<ListedOffer>> {
  const { rows, end } = await listPreAuthorized(db, tenantId, asked, at)
  const compare = asked.order === 'newest' ? (left: Cursor, right: Cursor) => oldestFirst(right, left) : oldestFirst
  // What is behind the end of the walk is of the next page.
  const shared = (await listShared(db, tenantId, asked)).filter((each) => !end || compare(cursorOf(each), end) <= 0)
  const merged = [...rows, ...shared].sort((left, right) => compare(cursorOf(left), cursorOf(right)))
  return cutPage(merged.slice(0, asked.limit + 1), asked.limit, cursorOf, end)
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

const cursorOf = ({ createdAt, id }: ListedOffer): Cursor => ({ at: createdAt, id })

/** As the databases order them: ids are ASCII. */
function oldestFirst(left: Cursor, right: Cursor): number {
  return left.at.getTime() - right.at.getTime() || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0)
}

/** Those that are deleted are in no list. */
async function listShared(
  db: Reader,
  tenantId: string,
  { state, configurationId, ...page }: OffersAsked,
): Promise<ListedOffer[]> {
  if (state !== undefined && state !== 'usable') return []
  const rows =
    configurationId === undefined
      ? await listPage(db, sharedOffers, tenantId, page, isNull(sharedOffers.deletedAt))
      : await listSharedOf(db, tenantId, configurationId, page)
  return rows.map(ofAnybody)
}

async function listSharedOf(
  db: Reader,
  tenantId: string,
  configurationId: string,
  { limit, cursor, order = 'oldest' }: Pick<OffersAsked, 'limit' | 'cursor' | 'order'>,
) {
  const { behind, by } = directions[order]
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
        behind(createdAt, offerId, cursor),
      ),
    )
    .orderBy(by(createdAt), by(offerId))
    .limit(limit + 1)
}

/** Rows that one page looks at when only their content can tell whether they are wanted. */
const walkedAtMost = 2_000

async function listPreAuthorized(
  db: Reader,
  tenantId: string,
  asked: OffersAsked,
  at: Date,
): Promise<{ rows: ListedOffer[]; end: Cursor | undefined }> {
  const { createdAt, id } = offers
  const { limit, state, configurationId, order = 'oldest' } = asked
  const { until, upTo, by } = directions[order]
  const range = and(eq(offers.tenantId, tenantId), ...beginning(asked, at))
  const wanted = [...inState(state, at), ...ofConfiguration(configurationId)]
  const end = wanted.length > 0 ? await findWalkEnd(db, range, order) : undefined
  const rows = await db
    .select(listed)
    .from(offers)
    .where(and(range, end && upTo(createdAt, end.at), end && until(createdAt, id, end), ...wanted))
    .orderBy(by(createdAt), by(id))
    .limit(limit + 1)
  return { rows: rows.map((row) => ofOne(row, at)), end }
}

/**
 * Where the walk begins. PostgreSQL does not know how many rows are behind a pair of columns, and begins at the first condition of
 * several: there is one, and the time besides.
 */
function beginning({ cursor, state, order = 'oldest' }: OffersAsked, at: Date): (SQL | undefined)[] {
  const { from, behind } = directions[order]
  const { createdAt, id } = offers
  const onward = cursor ? [from(createdAt, cursor.at), behind(createdAt, id, cursor)] : []
  if (state !== 'usable') return onward
  // None of those that were made before can be usable.
  const since = plusMs(at, -maxOfferMs)
  if (order === 'newest') return [gte(createdAt, since), ...onward]
  return cursor && cursor.at >= since ? onward : [gte(createdAt, since)]
}

function inState(state: ListedOffer['state'] | undefined, at: Date): SQL[] {
  if (state === undefined) return []
  if (state === 'usable') return [withoutIndex(eq(offers.state, 'usable')), withoutIndex(gt(offers.expiresAt, at))]
  if (state === 'expired') return [withoutIndex(eq(offers.state, 'usable')), withoutIndex(lte(offers.expiresAt, at))]
  return [withoutIndex(eq(offers.state, state))]
}

/** By the text of the list: an id is a UUID, which has nothing in it that LIKE reads otherwise. */
function ofConfiguration(configurationId: string | undefined): SQL[] {
  if (configurationId === undefined) return []
  return [sql`cast(${offers.configurationIds} as text) like ${`%"${configurationId}"%`}`]
}

/** The last row that the page may look at; undefined where there are no more behind it. The index has all that is asked. */
async function findWalkEnd(db: Reader, range: SQL | undefined, order: Order): Promise<Cursor | undefined> {
  const { createdAt, id } = offers
  const { by } = directions[order]
  const [row] = await db
    .select({ at: createdAt, id })
    .from(offers)
    .where(range)
    .orderBy(by(createdAt), by(id))
    .limit(1)
    .offset(walkedAtMost - 1)
  return row
}
