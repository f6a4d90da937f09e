import { and, asc, eq, getTableName, inArray, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Writer } from '../client.ts'
import { dialect, inRow } from '../columns.ts'
import { addToOutbox } from '../outbox.ts'
import { chunksOf } from '../repos/chunks.ts'
import type { UserTerms } from '../repos/issuance/users/user-terms.ts'
import { deleteUserRow } from '../repos/issuance/users/users.ts'
import { deliveryIdsOf } from '../repos/operations/webhooks/deliveries.ts'
import { findWebhookIdsOf } from '../repos/operations/webhooks/webhooks.ts'
import { anonymizeEntries } from '../repos/status/erased-entries.ts'
import { bulkRows } from '../tables/issuance/bulk-issuances.ts'
import { credentials } from '../tables/issuance/credentials.ts'
import { userClaimTerms } from '../tables/issuance/user-claim-terms.ts'
import { users } from '../tables/issuance/users.ts'
import { deliveries } from '../tables/operations/deliveries.ts'
import type { ErasureContent } from '../tables/operations/erasures.ts'
import { events } from '../tables/operations/events.ts'
import { statusEntries } from '../tables/status/entries.ts'
import { countErasure, eraseBulkRows, findLinkedRows } from './bulk-rows.ts'
import { removeDependents } from './removal.ts'
import { retentionRules } from './retention-table.ts'
import { idColumn } from './table-rules.ts'
import { eraseTimelines, findOwnOfferIds } from './timeline.ts'

/**
 * Erased by separate functions below. The other tables are erased in the order of the list, which is the order of locks
 * (hold.ts).
 */
const erasedSeparately: PgTable[] = [users, userClaimTerms, bulkRows, credentials]

/**
 * Erases a user with all rows of the user and revokes the user's credentials. Pending deliveries about these
 * credentials fail, and all their deliveries lose the stored responses. Returns what was erased, or undefined if the user
 * does not exist. The cost depends on the rows of the user, not on the rows of the tenant. Poke the bus afterwards: a job
 * then truncates the log of the database and erases late events.
 */
export async function eraseUser(
  tx: Writer,
  tenantId: string,
  userId: string,
  at: Date,
  terms: UserTerms,
): Promise<ErasureContent | undefined> {
  await countErasure(tx, tenantId, userId)
  const claimTerms = await deleteUserRow(tx, tenantId, userId, terms)
  if (claimTerms === undefined) return undefined
  const rows: Record<string, number> = { [getTableName(users)]: 1, [getTableName(userClaimTerms)]: claimTerms }
  const offerIds = await findOwnOfferIds(tx, tenantId, userId)
  const linkedRows = await findLinkedRows(tx, tenantId, userId)
  for (const { table, tenant, user } of retentionRules) {
    if (tenant && user && !erasedSeparately.includes(table))
      Object.assign(rows, await eraseRows(tx, { table, tenant, user }, tenantId, userId))
  }
  rows[getTableName(bulkRows)] = await eraseBulkRows(tx, tenantId, userId, linkedRows)
  const erased = await tx
    .delete(credentials)
    .where(and(eq(credentials.tenantId, tenantId), eq(credentials.userId, userId)))
    .returning({ id: credentials.id, issuedAt: credentials.issuedAt })
  const ids = erased.map(({ id }) => id)
  rows[getTableName(credentials)] = ids.length
  const { entries, ...revocation } = await anonymizeEntries(tx, tenantId, ids, at)
  rows[getTableName(statusEntries)] = entries
  if (erased.length > 0) rows[getTableName(deliveries)] = await endDeliveries(tx, tenantId, erased)
  rows[getTableName(events)] = await eraseTimelines(tx, tenantId, offerIds)
  await addToOutbox(tx, 'finishErasure', [{ id: userId, payload: { tenantId, userId, offerIds } }], at)
  return { rows: Object.fromEntries(Object.entries(rows).filter(([, count]) => count > 0)), ...revocation }
}

/** Deletes the rows of a table with their dependents. Returns how many rows of each table were deleted. */
async function eraseRows(
  tx: Writer,
  { table, tenant, user }: { table: PgTable; tenant: PgColumn; user: PgColumn },
  tenantId: string,
  userId: string,
): Promise<Record<string, number>> {
  const rows = await tx
    .delete(table)
    .where(and(eq(tenant, tenantId), eq(user, userId)))
    .returning({ id: idColumn(table) })
  const ids = rows.map(({ id }) => String(id))
  return { [getTableName(table)]: ids.length, ...(await removeDependents(tx, table, tenantId, ids)) }
}

/** Finds the deliveries by their ids, which derive from credential, kind and webhook. Returns their number. */
async function endDeliveries(tx: Writer, tenantId: string, erased: { id: string; issuedAt: Date }[]): Promise<number> {
  let count = 0
  const ids = deliveryIdsOf(tenantId, erased, await findWebhookIdsOf(tx, tenantId))
  for (const chunk of chunksOf(ids)) {
    const ofChunk = and(eq(deliveries.tenantId, tenantId), inArray(deliveries.id, chunk))
    const held = tx
      .select({ id: deliveries.id, attempts: deliveries.attempts })
      .from(deliveries)
      .where(ofChunk)
      .orderBy(asc(deliveries.id))
    // The lock waits for a transaction that records a response (hold.ts).
    const rows = await (dialect === 'postgres' ? held.for('update') : held)
    count += rows.length
    // The additional attempt prevents an attempt in progress from recording its result.
    await tx
      .update(deliveries)
      .set({
        state: 'failed',
        nextAttemptAt: null,
        queuedUntil: null,
        attemptsMade: sql`${deliveries.attemptsMade} + 1`,
      })
      .where(and(ofChunk, eq(deliveries.state, 'pending')))
    for (const { id, attempts } of rows) {
      if (!attempts.some(({ answer }) => answer !== undefined)) continue
      const withoutAnswers = attempts.map(({ answer: _answer, ...attempt }) => attempt)
      await tx
        .update(deliveries)
        .set({ attempts: withoutAnswers })
        .where(and(inRow(deliveries.tenantId, tenantId), eq(deliveries.id, id)))
    }
  }
  return count
}
