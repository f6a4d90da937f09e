import { and, desc, eq, gt, gte, isNull, type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { plusMs } from '../../../shared/clock.ts'
import type { Reader } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { signedCredentials } from '../../tables/credentials/signed-credentials.ts'
import { ecosystems } from '../../tables/ecosystems/ecosystems.ts'
import { participants } from '../../tables/ecosystems/participants.ts'
import { configurations } from '../../tables/issuance/configurations.ts'
import { credentials } from '../../tables/issuance/credentials.ts'
import { offerFailures } from '../../tables/issuance/offer-failures.ts'
import { maxOfferMs, offers } from '../../tables/issuance/offers.ts'
import { sharedOffers } from '../../tables/issuance/shared-offers.ts'
import { users } from '../../tables/issuance/users.ts'
import { oauthClients } from '../../tables/issuance/wallets.ts'
import { deliveries } from '../../tables/operations/deliveries.ts'
import { webhooks } from '../../tables/operations/webhooks.ts'
import { statusEntries } from '../../tables/status/entries.ts'
import { statusLists } from '../../tables/status/lists.ts'
import { tenants } from '../../tables/tenancy/tenants.ts'
import { startOfRecentHours } from './recent-offers.ts'
import { undelivered } from './webhooks/deliveries.ts'

/** Counts stop here, because a count of a million rows would take too long. */
const maxCounted = 10_000
/** The number of newest offers that are read to find usable ones. No index says which offers are usable. */
const maxOffersRead = maxCounted
/** The number of newest failures that are read to find offers that are still in the state in which they failed. */
const maxFailuresRead = 2_000

interface CountQuery {
  db: Reader
  tenantId: string
  at: Date
}

const counters = {
  users: all(users),
  credentials: all(credentials),
  signedCredentials: all(signedCredentials),
  notValid({ db, tenantId }: CountQuery): SQL<number> {
    const rows = db
      .select({ one: sql`1`.as('one') })
      .from(statusLists)
      // SQLite keeps the table order of a cross join: first the few lists of the tenant, then their entries that are
      // not valid.
      .crossJoin(statusEntries)
      .where(
        and(
          eq(statusLists.tenantId, tenantId),
          eq(statusEntries.listId, statusLists.id),
          // The condition of the index.
          sql`${statusEntries.status} <> 'valid'`,
        ),
      )
      .limit(maxCounted)
    return countOf(rows)
  },
  configurations: all(configurations),
  recentOffers: (query: CountQuery) => countOf(recentOffers(query)),
  usableOffers(query: CountQuery): SQL<number> {
    const recent = recentOffers(query).as('recent')
    const open = sql`(select count(*) from ${recent} where ${and(eq(recent.state, 'usable'), gt(recent.expiresAt, query.at))})`
    return sql<number>`${open} + ${countOf(openSharedOffers(query))}`
  },
  recentFailures: (query: CountQuery) => countOf(recentFailures(query)),
  failedOffers(query: CountQuery): SQL<number> {
    const failed = recentFailures(query).as('failed')
    const isFailed = and(
      inRow(offers.tenantId, query.tenantId),
      eq(offers.id, failed.id),
      eq(offers.state, failed.failedState),
    )
    return sql<number>`(select count(*) from ${failed} where exists (select 1 from ${offers} where ${isFailed}))`
  },
  wallets: all(oauthClients),
  webhooks: all(webhooks),
  pendingDeliveries({ db, tenantId }: CountQuery): SQL<number> {
    const pending = and(eq(deliveries.tenantId, tenantId), eq(deliveries.state, 'pending'), undelivered)
    return countOf(
      db
        .select({ one: sql`1`.as('one') })
        .from(deliveries)
        .where(pending)
        .limit(maxCounted),
    )
  },
  ecosystems: all(ecosystems),
  participants: all(participants),
} as const satisfies Record<string, (query: CountQuery) => SQL<number>>

export type CountedResource = Exclude<keyof typeof counters, 'recentOffers' | 'recentFailures'>

export interface Count {
  counted: CountedResource
  count: number
  /** The real number can be higher. */
  isAtLeast: boolean
}

/** Counts the tenant's rows of each resource, in one query. Omits resources without rows. */
export async function findCounts(
  db: Reader,
  tenantId: string,
  counted: readonly CountedResource[],
  at: Date,
): Promise<Count[]> {
  const names = [...counted, 'recentOffers' as const, 'recentFailures' as const]
  const fields = names.map((each) => [each, counters[each]({ db, tenantId, at }).mapWith(Number).as(each)])
  const rows: Record<string, number>[] = await db
    .select(Object.fromEntries(fields))
    .from(tenants)
    .where(eq(tenants.id, tenantId))
  return rows.flatMap(({ recentOffers: recent = 0, recentFailures: failures = 0, ...counts }) =>
    counted.flatMap((each) => {
      const count = counts[each] ?? 0
      const isPartial = { usableOffers: recent >= maxOffersRead, failedOffers: failures >= maxFailuresRead }
      const isAtLeast = count >= maxCounted || (each in isPartial && isPartial[each as keyof typeof isPartial])
      return count > 0 || isAtLeast ? [{ counted: each, count, isAtLeast }] : []
    }),
  )
}

/** Counts all rows of the tenant. The table has an index that starts with the tenant. */
function all(table: PgTable & { tenantId: PgColumn }) {
  return ({ db, tenantId }: CountQuery): SQL<number> => {
    const counted: PgTable & { tenantId: PgColumn } = table
    const ofTenant = eq(counted.tenantId, tenantId)
    return countOf(
      db
        .select({ one: sql`1`.as('one') })
        .from(counted)
        .where(ofTenant)
        .limit(maxCounted),
    )
  }
}

function countOf(rows: SQLWrapper): SQL<number> {
  return sql<number>`(select count(*) from (${rows}) as counted)`
}

/** Returns the newest offers, limited to the maximum lifetime of an offer. */
function recentOffers({ db, tenantId, at }: CountQuery) {
  return db
    .select({ state: offers.state, expiresAt: offers.expiresAt })
    .from(offers)
    .where(and(eq(offers.tenantId, tenantId), gte(offers.createdAt, plusMs(at, -maxOfferMs))))
    .orderBy(desc(offers.createdAt), desc(offers.id))
    .limit(maxOffersRead)
}

function openSharedOffers({ db, tenantId }: CountQuery) {
  return db
    .select({ one: sql`1`.as('one') })
    .from(sharedOffers)
    .where(and(eq(sharedOffers.tenantId, tenantId), isNull(sharedOffers.deletedAt)))
    .limit(maxCounted)
}

/** Returns the failures of the newest offers of the last 24 hours. */
function recentFailures({ db, tenantId, at }: CountQuery) {
  return db
    .select({ id: offerFailures.id, failedState: offerFailures.failedState })
    .from(offerFailures)
    .where(and(eq(offerFailures.tenantId, tenantId), gte(offerFailures.createdAt, startOfRecentHours(at))))
    .orderBy(desc(offerFailures.createdAt), desc(offerFailures.id))
    .limit(maxFailuresRead)
}
