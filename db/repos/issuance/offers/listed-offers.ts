import { and, eq, exists, gt, gte, isNull, lte, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { plusMs } from '../../../../shared/clock.ts'
import type { Reader } from '../../../client.ts'
import { inRow, withoutIndex } from '../../../columns.ts'
import { type Cursor, cutPage, directions, type SortOrder, type Walked } from '../../../page.ts'
import { offerFailures } from '../../../tables/issuance/offer-failures.ts'
import { maxOfferMs, type OfferState, offers } from '../../../tables/issuance/offers.ts'
import { sharedOfferConfigurations, sharedOffers } from '../../../tables/issuance/shared-offers.ts'
import { listPage } from '../../list-page.ts'
import { findOfferFailures, isCurrent, type OfferFailure } from './offer-failures.ts'

export const offerStates = ['usable', 'spent', 'claimed', 'ended', 'expired'] as const satisfies (
  | OfferState
  | 'expired'
)[]

/** An entry of a list, of either kind of offer. */
export interface ListedOffer {
  id: string
  kind: 'authorization-code' | 'pre-authorized'
  state: (typeof offerStates)[number]
  configurationIds: string[]
  /** Null for a shared offer, and before the sign-in that a claim link needs. */
  userId: string | null
  viewId: string | null
  label: string | null
  /** Null for a shared offer. */
  expiresAt: Date | null
  createdAt: Date
  /** The failure after which the offer made no progress. */
  failure?: OfferFailure
}

export interface OfferFilter {
  limit: number
  cursor?: Cursor | undefined
  state?: ListedOffer['state'] | undefined
  configurationId?: string | undefined
  /** Lists only offers of this user. Shared offers have no user. */
  userId?: string | undefined
  /** Lists only offers with a failure. */
  failed?: boolean | undefined
  order?: SortOrder
}

/**
 * Lists the offers of a tenant of both kinds, oldest first by default. A filter by state or configuration examines the
 * pre-authorized offers one by one, so a page may be short or empty and still have a `next`.
 */
export async function listOffers(
  db: Reader,
  tenantId: string,
  query: OfferFilter,
  at: Date,
): Promise<Walked<ListedOffer>> {
  const { rows, end } = await listPreAuthorized(db, tenantId, query, at)
  const compare = query.order === 'newest' ? (left: Cursor, right: Cursor) => oldestFirst(right, left) : oldestFirst
  // Offers after the end of the walk belong to the next page.
  const shared = (await listShared(db, tenantId, query)).filter((each) => !end || compare(cursorOf(each), end) <= 0)
  const merged = [...rows, ...shared].sort((left, right) => compare(cursorOf(left), cursorOf(right)))
  const page = cutPage(merged.slice(0, query.limit + 1), query.limit, cursorOf, end)
  return { ...page, rows: await withFailures(db, tenantId, page.rows) }
}

async function withFailures(db: Reader, tenantId: string, rows: ListedOffer[]): Promise<ListedOffer[]> {
  // A shared offer has no end and no failures.
  const ids = rows.filter(({ expiresAt }) => expiresAt !== null).map(({ id }) => id)
  const failures = await findOfferFailures(db, tenantId, ids)
  return rows.map((row) => {
    const failure = failures.get(row.id)
    return failure ? { ...row, failure } : row
  })
}

/** Finds an offer of either kind. Returns undefined for a deleted offer. */
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
  if (own) return (await withFailures(db, tenantId, [ofOne(own, at)]))[0]
  const [shared] = await db
    .select()
    .from(sharedOffers)
    .where(and(inRow(sharedOffers.tenantId, tenantId), eq(sharedOffers.id, id)))
  return shared?.deletedAt === null ? ofAnybody(shared) : undefined
}

const listed = {
  id: offers.id,
  userId: offers.userId,
  needsSignIn: offers.needsSignIn,
  viewId: offers.viewId,
  state: offers.state,
  configurationIds: offers.configurationIds,
  label: offers.label,
  expiresAt: offers.expiresAt,
  createdAt: offers.createdAt,
}

function ofOne({ needsSignIn, ...row }: Pick<typeof offers.$inferSelect, keyof typeof listed>, at: Date): ListedOffer {
  const isExpired = row.state === 'usable' && row.expiresAt <= at
  const kind = needsSignIn ? 'authorization-code' : 'pre-authorized'
  return { ...row, kind, userId: row.userId || null, state: isExpired ? 'expired' : row.state }
}

function ofAnybody({ id, configurationIds, viewId, label, createdAt }: ListedShared): ListedOffer {
  const forAnybody = { kind: 'authorization-code' as const, userId: null, expiresAt: null }
  return { id, ...forAnybody, state: 'usable', configurationIds, viewId, label, createdAt }
}

type ListedShared = Pick<typeof sharedOffers.$inferSelect, 'id' | 'configurationIds' | 'viewId' | 'label' | 'createdAt'>

const cursorOf = ({ createdAt, id }: ListedOffer): Cursor => ({ at: createdAt, id })

/** Compares like the databases, because ids are ASCII. */
function oldestFirst(left: Cursor, right: Cursor): number {
  return left.at.getTime() - right.at.getTime() || (left.id < right.id ? -1 : left.id > right.id ? 1 : 0)
}

/** Lists shared offers that are not deleted. */
async function listShared(
  db: Reader,
  tenantId: string,
  { state, configurationId, userId, failed, ...page }: OfferFilter,
): Promise<ListedOffer[]> {
  if (failed || userId !== undefined || (state !== undefined && state !== 'usable')) return []
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
  { limit, cursor, order = 'oldest' }: Pick<OfferFilter, 'limit' | 'cursor' | 'order'>,
) {
  const { behind, by } = directions[order]
  const { createdAt, offerId } = sharedOfferConfigurations
  return db
    .select({
      id: sharedOffers.id,
      configurationIds: sharedOffers.configurationIds,
      viewId: sharedOffers.viewId,
      label: sharedOffers.label,
      createdAt: sharedOffers.createdAt,
    })
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

/** The maximum number of rows that one page examines with a filter. */
const walkedAtMost = 2_000

async function listPreAuthorized(
  db: Reader,
  tenantId: string,
  query: OfferFilter,
  at: Date,
): Promise<{ rows: ListedOffer[]; end: Cursor | undefined }> {
  const { createdAt, id, tenantId: tenant } = offers
  const { limit, state, configurationId, userId, failed, order = 'oldest' } = query
  if (failed && userId === undefined) return listFailed(db, tenantId, query, at)
  const { until, upTo, by } = directions[order]
  const ofUser = userId === undefined ? [] : [eq(offers.userId, userId)]
  const range = and(eq(tenant, tenantId), ...ofUser, ...beginning(query, at))
  const filters = [...inState(state, at), ...ofConfiguration(configurationId), ...(failed ? [hasFailure(db)] : [])]
  const end = filters.length > 0 ? await findWalkEnd(db, { createdAt, id }, range, order) : undefined
  const rows = await db
    .select(listed)
    .from(offers)
    .where(and(range, end && upTo(createdAt, end.at), end && until(createdAt, id, end), ...filters))
    .orderBy(by(createdAt), by(id))
    .limit(limit + 1)
  return { rows: rows.map((row) => ofOne(row, at)), end }
}

/** Matches offers with a current failure. */
function hasFailure(db: Reader): SQL {
  const ofOffer = and(inRow(offerFailures.tenantId, offers.tenantId), eq(offerFailures.id, offers.id), isCurrent)
  return exists(db.select({ id: offerFailures.id }).from(offerFailures).where(ofOffer))
}

/** Lists the offers with a current failure. Examines the failures one by one. */
async function listFailed(db: Reader, tenantId: string, query: OfferFilter, at: Date) {
  const { createdAt, id } = offerFailures
  const { limit, cursor, state, configurationId, order = 'oldest' } = query
  const { behind, until, by } = directions[order]
  const range = and(eq(offerFailures.tenantId, tenantId), behind(createdAt, id, cursor))
  const end = await findWalkEnd(db, { createdAt, id }, range, order)
  const rows = await db
    .select(listed)
    .from(offerFailures)
    .innerJoin(offers, and(inRow(offers.tenantId, tenantId), eq(offers.id, id)))
    .where(
      and(
        range,
        end && until(createdAt, id, end),
        isCurrent,
        ...inState(state, at),
        ...ofConfiguration(configurationId),
      ),
    )
    .orderBy(by(createdAt), by(id))
    .limit(limit + 1)
  return { rows: rows.map((row) => ofOne(row, at)), end }
}

/**
 * The condition at which the walk begins. PostgreSQL cannot estimate the rows after a pair of columns and uses the first
 * of several conditions. So there is one condition on the pair and one on the time.
 */
function beginning({ cursor, state, order = 'oldest' }: OfferFilter, at: Date): (SQL | undefined)[] {
  const { from, behind } = directions[order]
  const { createdAt, id } = offers
  const onward = cursor ? [from(createdAt, cursor.at), behind(createdAt, id, cursor)] : []
  if (state !== 'usable') return onward
  // Older offers cannot be usable.
  const since = plusMs(at, -maxOfferMs)
  if (order === 'newest') return [gte(createdAt, since), ...onward]
  return cursor && cursor.at >= since ? onward : [gte(createdAt, since)]
}

function inState(state: ListedOffer['state'] | undefined, at: Date): SQL[] {
  if (state === undefined) return []
  if (state === 'usable') return isUsable(at)
  if (state === 'expired') return [withoutIndex(eq(offers.state, 'usable')), withoutIndex(lte(offers.expiresAt, at))]
  return [withoutIndex(eq(offers.state, state))]
}

/** The conditions on offers that a wallet can use. They do not choose an index. */
export function isUsable(at: Date): SQL[] {
  return [withoutIndex(eq(offers.state, 'usable')), withoutIndex(gt(offers.expiresAt, at))]
}

function ofConfiguration(configurationId: string | undefined): SQL[] {
  return configurationId === undefined ? [] : [offersConfiguration(configurationId)]
}

/** Matches offers of a configuration by the text of their list. An id is a UUID, which has no wildcards of LIKE. */
export function offersConfiguration(id: string): SQL {
  return sql`cast(${offers.configurationIds} as text) like ${`%"${id}"%`}`
}

/** Returns the last row that the page may examine, or undefined if no rows follow. Reads the index only. */
async function findWalkEnd(
  db: Reader,
  { createdAt, id }: { createdAt: PgColumn; id: PgColumn },
  range: SQL | undefined,
  order: SortOrder,
): Promise<Cursor | undefined> {
  const { by } = directions[order]
  const [row] = await db
    .select({ at: createdAt, id })
    .from(createdAt.table)
    .where(range)
    .orderBy(by(createdAt), by(id))
    .limit(1)
    .offset(walkedAtMost - 1)
  // Boundary: the types of the columns.
  return row as Cursor | undefined
}
