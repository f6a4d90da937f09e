import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Writer } from '../client.ts'
import { dialect, inRow } from '../columns.ts'
import { addToOutbox } from '../outbox.ts'
import { chunksOf } from '../repos/chunks.ts'
import type { UserTerms } from '../repos/issuance/user-terms.ts'
import { deleteUserRow } from '../repos/issuance/users.ts'
import { deliveryIdsOf } from '../repos/operations/deliveries.ts'
import { findWebhookIdsOf } from '../repos/operations/webhooks.ts'
import { orphanEntries } from '../repos/status/erased-entries.ts'
import { credentials } from '../tables/issuance/credentials.ts'
import { userClaimTerms } from '../tables/issuance/user-claim-terms.ts'
import { users } from '../tables/issuance/users.ts'
import { deliveries } from '../tables/operations/deliveries.ts'
import { removeHanging } from './removal.ts'
import { idColumn, retentionRules } from './retention-table.ts'
import { eraseTimelines, findOwnOfferIds } from './timeline.ts'

/** Erased in ways of their own below. The rest goes in the order of the list, which is that of locks (hold.ts). */
const special: PgTable[] = [users, userClaimTerms, credentials]

/**
 * Removes a user and everything that was made for it, and revokes for ever what was issued to it; deliveries about its
 * credentials that are still to come end, and no delivery keeps what its receiver answered. False when there is no such user.
 * What it costs depends on what the user has, not on what the tenant has. Poke the bus afterwards: a job takes the bytes
 * away that are left in the database's log, and what was reported late.
 */
export async function eraseUser(
  tx: Writer,
  tenantId: string,
  userId: string,
  at: Date,
  terms: UserTerms,
): Promise<boolean> {
  if (!(await deleteUserRow(tx, tenantId, userId, terms))) return false
  const offerIds = await findOwnOfferIds(tx, tenantId, userId)
  for (const { table, tenant, user } of retentionRules) {
    if (tenant && user && !special.includes(table)) await eraseRows(tx, { table, tenant, user }, tenantId, userId)
  }
  const erased = await tx
    .delete(credentials)
    .where(and(eq(credentials.tenantId, tenantId), eq(credentials.userId, userId)))
    .returning({ id: credentials.id, issuedAt: credentials.issuedAt })
  const ids = erased.map(({ id }) => id)
  await orphanEntries(tx, tenantId, ids, at)
  if (erased.length > 0) await silenceDeliveries(tx, tenantId, erased)
  await eraseTimelines(tx, tenantId, offerIds)
  await addToOutbox(tx, 'finishErasure', [{ id: userId, payload: { tenantId, userId, offerIds } }], at)
  return true
}

async function eraseRows(
  tx: Writer,
  { table, tenant, user }: { table: PgTable; tenant: PgColumn; user: PgColumn },
  tenantId: string,
  userId: string,
): Promise<void> {
  const rows = await tx
    .delete(table)
    .where(and(eq(tenant, tenantId), eq(user, userId)))
    .returning({ id: idColumn(table) })
  await removeHanging(
    tx,
    table,
    tenantId,
    rows.map(({ id }) => String(id)),
  )
}

/** The deliveries are found by their ids, which follow from credential, kind and webhook. */
async function silenceDeliveries(
  tx: Writer,
  tenantId: string,
  erased: { id: string; issuedAt: Date }[],
): Promise<void> {
  const ids = deliveryIdsOf(tenantId, erased, await findWebhookIdsOf(tx, tenantId))
  for (const chunk of chunksOf(ids)) {
    const ofChunk = and(eq(deliveries.tenantId, tenantId), inArray(deliveries.id, chunk))
    const held = tx
      .select({ id: deliveries.id, attempts: deliveries.attempts })
      .from(deliveries)
      .where(ofChunk)
      .orderBy(asc(deliveries.id))
    // An answer that is being recorded is waited for (hold.ts).
    const rows = await (dialect === 'postgres' ? held.for('update') : held)
    // One more than were made: an attempt that is under way is not recorded any more.
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
      const silent = attempts.map(({ answer: _answer, ...attempt }) => attempt)
      await tx
        .update(deliveries)
        .set({ attempts: silent })
        .where(and(inRow(deliveries.tenantId, tenantId), eq(deliveries.id, id)))
    }
  }
}
