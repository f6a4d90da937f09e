import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, ne, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Reader, Writer } from '../client.ts'
import { authorizations, pushedRequests, refreshTokens } from '../tables/authorizations.ts'
import { events } from '../tables/events.ts'
import {
  type IssuanceState,
  issuances,
  notifications,
  sessionClaims,
  sessions,
  spentProofs,
} from '../tables/issuances.ts'
import { offers } from '../tables/offers.ts'
import { tenants } from '../tables/tenants.ts'
import { deliveries, webhooks } from '../tables/webhooks.ts'

/**
 * What is not kept for ever, for all tenants at once. Each function takes away at most `most` rows that were over before
 * `before`, the oldest first, and says how many they were; it looks only at what an index says is old.
 */
export type Purge = (tx: Writer, before: Date, most: number) => Promise<number>

/** Nonces and proof ids that nothing could accept any more. */
export const purgeSpentProofs: Purge = (tx, before, most) => {
  const rows = tx
    .select({ hash: spentProofs.hash })
    .from(spentProofs)
    .where(lt(spentProofs.expiresAt, before))
    .orderBy(asc(spentProofs.expiresAt))
    .limit(most)
  // With the time again, since the key's first column is the tenant.
  return countOf(
    tx
      .delete(spentProofs)
      .where(and(lt(spentProofs.expiresAt, before), inArray(spentProofs.hash, rows)))
      .returning({ id: spentProofs.hash }),
  )
}

export const purgeSessions: Purge = async (tx, before, most) => {
  const ids = await oldest(tx, sessions, sessions.id, sessions.expiresAt, before, most)
  if (ids.length === 0) return 0
  await tx.delete(sessionClaims).where(inArray(sessionClaims.sessionId, ids))
  return countOf(tx.delete(sessions).where(inArray(sessions.id, ids)).returning({ id: sessions.id }))
}

/** Whatever became of them: their claims are somebody's. */
export const purgeOffers: Purge = async (tx, before, most) => {
  const ids = await oldest(tx, offers, offers.id, offers.expiresAt, before, most)
  if (ids.length === 0) return 0
  return countOf(tx.delete(offers).where(inArray(offers.id, ids)).returning({ id: offers.id }))
}

/** Authorization requests that came to nothing, and what was granted once nothing of it can be used. */
export const purgeAuthorizations: Purge = async (tx, before, most) => {
  const ids = await oldest(tx, authorizations, authorizations.id, authorizations.expiresAt, before, most)
  if (ids.length === 0) return 0
  return countOf(tx.delete(authorizations).where(inArray(authorizations.id, ids)).returning({ id: authorizations.id }))
}

export const purgePushedRequests: Purge = async (tx, before, most) => {
  const ids = await oldest(tx, pushedRequests, pushedRequests.id, pushedRequests.expiresAt, before, most)
  if (ids.length === 0) return 0
  return countOf(tx.delete(pushedRequests).where(inArray(pushedRequests.id, ids)).returning({ id: pushedRequests.id }))
}

export const purgeRefreshTokens: Purge = async (tx, before, most) => {
  const ids = await oldest(tx, refreshTokens, refreshTokens.id, refreshTokens.expiresAt, before, most)
  if (ids.length === 0) return 0
  return countOf(tx.delete(refreshTokens).where(inArray(refreshTokens.id, ids)).returning({ id: refreshTokens.id }))
}

/** The content of issued credentials; what is known of them stays in `credentials`. */
export const wipeIssuances: Purge = async (tx, before, most) => {
  const ids = await requestedBefore(tx, ['issued'], before, most)
  if (ids.length === 0) return 0
  return countOf(
    tx
      .update(issuances)
      .set({ state: 'wiped', credentials: null })
      .where(and(inArray(issuances.id, ids), eq(issuances.state, 'issued')))
      .returning({ id: issuances.id }),
  )
}

/** Issuances that came to nothing, or of which nothing is left. */
export const purgeIssuances: Purge = async (tx, before, most) => {
  const ids = await requestedBefore(tx, ['wiped', 'refused', 'abandoned'], before, most)
  if (ids.length === 0) return 0
  await tx.delete(notifications).where(inArray(notifications.issuanceId, ids))
  return countOf(tx.delete(issuances).where(inArray(issuances.id, ids)).returning({ id: issuances.id }))
}

/** `requested` -> `abandoned`, for those whose API process died, or whose job was lost; the claims are wiped. */
export function abandonIssuancesAt(at: Date): Purge {
  return endRequested({ state: 'abandoned', endedAt: at }, isNull(issuances.deferredAt))
}

/** `requested` -> `refused`, for those that were deferred and never signed; the claims are wiped. */
export function refuseDeferredAt(at: Date): Purge {
  return endRequested({ state: 'refused', endedAt: at }, isNotNull(issuances.deferredAt))
}

function endRequested(end: { state: IssuanceState; endedAt: Date }, which: SQL): Purge {
  return async (tx, before, most) => {
    const due = and(eq(issuances.state, 'requested'), lte(issuances.requestedAt, before), which)
    const rows = tx
      .select({ id: issuances.id })
      .from(issuances)
      .where(due)
      .orderBy(asc(issuances.requestedAt))
      .limit(most)
    return countOf(
      tx
        .update(issuances)
        .set({ ...end, claims: null })
        .where(and(inArray(issuances.id, rows), due))
        .returning({ id: issuances.id }),
    )
  }
}

/** Deferred issuances that were asked for before `before` and are not signed. */
export async function findDeferred(
  db: Reader,
  before: Date,
  most: number,
): Promise<{ tenantId: string; issuanceId: string }[]> {
  return db
    .select({ tenantId: issuances.tenantId, issuanceId: issuances.id })
    .from(issuances)
    .where(and(eq(issuances.state, 'requested'), lte(issuances.requestedAt, before), isNotNull(issuances.deferredAt)))
    .orderBy(asc(issuances.requestedAt))
    .limit(most)
}

/** Deliveries of one webhook that were made before, and have ended since. */
export function purgeDeliveriesOf(tenantId: string, webhookId: string): Purge {
  return async (tx, before, most) => {
    const old = and(
      eq(deliveries.tenantId, tenantId),
      eq(deliveries.webhookId, webhookId),
      lt(deliveries.createdAt, before),
    )
    const ended = ne(deliveries.state, 'pending')
    const rows = tx
      .select({ id: deliveries.id })
      .from(deliveries)
      .where(and(old, ended))
      .orderBy(asc(deliveries.createdAt))
      .limit(most)
    return countOf(
      tx
        .delete(deliveries)
        .where(and(inArray(deliveries.id, rows), ended))
        .returning({ id: deliveries.id }),
    )
  }
}

export function purgeEventsOf(tenantId: string): Purge {
  return (tx, before, most) => {
    const rows = tx
      .select({ id: events.id })
      .from(events)
      .where(and(eq(events.tenantId, tenantId), lt(events.timestamp, before)))
      .orderBy(asc(events.timestamp))
      .limit(most)
    return countOf(tx.delete(events).where(inArray(events.id, rows)).returning({ id: events.id }))
  }
}

export async function findTenantIds(db: Reader): Promise<string[]> {
  return (await db.select({ id: tenants.id }).from(tenants)).map(({ id }) => id)
}

export async function findWebhookIds(db: Reader): Promise<{ tenantId: string; id: string }[]> {
  return db.select({ tenantId: webhooks.tenantId, id: webhooks.id }).from(webhooks)
}

async function oldest(
  tx: Reader,
  table: PgTable,
  id: PgColumn,
  at: PgColumn,
  before: Date,
  most: number,
): Promise<string[]> {
  const rows = await tx.select({ id }).from(table).where(lt(at, before)).orderBy(asc(at)).limit(most)
  return rows.map((row) => String(row.id))
}

/** State by state, as the index has them. */
async function requestedBefore(tx: Reader, states: IssuanceState[], before: Date, most: number): Promise<string[]> {
  const ids: string[] = []
  for (const state of states) {
    const rows = await tx
      .select({ id: issuances.id })
      .from(issuances)
      .where(and(eq(issuances.state, state), lte(issuances.requestedAt, before)))
      .orderBy(asc(issuances.requestedAt))
      .limit(most - ids.length)
    ids.push(...rows.map(({ id }) => id))
    if (ids.length >= most) break
  }
  return ids
}

async function countOf(rows: PromiseLike<unknown[]>): Promise<number> {
  return (await rows).length
}
