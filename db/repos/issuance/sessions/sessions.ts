import { and, eq, getTableColumns, isNotNull, lt, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Reader, Writer } from '../../../client.ts'
import { inRow } from '../../../columns.ts'
import { param, paramOf, prepared, preparedInsert, preparedWrite } from '../../../engine/prepared.ts'
import { removeDependents } from '../../../retention/removal.ts'
import { offers } from '../../../tables/issuance/offers.ts'
import { sessions } from '../../../tables/issuance/sessions.ts'
import { defaultSettings } from '../../../tables/tenancy/tenants.ts'
import { isSessionValid } from './session-validity.ts'

export type SessionRow = typeof sessions.$inferSelect

const insertRows = preparedInsert('insert_sessions', sessions)

export async function insertSession(tx: Writer, session: SessionRow): Promise<void> {
  await insertRows(tx, [session])
}

const insertOfOffer = prepared('insert_session_of_offer', (tx) => {
  const offered: Partial<Record<string, PgColumn>> = {
    userId: offers.userId,
    configurationIds: offers.configurationIds,
    traceparent: offers.traceparent,
  }
  const columns = Object.entries(getTableColumns(sessions)).map(([key, column]) => offered[key] ?? paramOf(column, key))
  const isItsOwn = and(
    inRow(offers.tenantId, param('tenantId')),
    eq(offers.id, param('offerId')),
    inRow(offers.sessionId, param('id')),
  )
  return tx
    .insert(sessions)
    .select(sql`select ${sql.join(columns, sql`, `)} from ${offers} where ${isItsOwn}`)
    .onConflictDoNothing()
    .returning({ id: sessions.id })
})

/**
 * Inserts a session for which the code of its offer was exchanged (`spendOffer`), with the user and configurations of
 * the offer. Returns false if the code was not exchanged for it, or the session exists already.
 */
export async function insertSessionOfOffer(tx: Writer, session: SessionRow): Promise<boolean> {
  const rows = await insertOfOffer(tx, session)
  return rows.length === 1
}

const byId = prepared('session_by_id', (db) =>
  db
    .select()
    .from(sessions)
    .where(and(inRow(sessions.tenantId, param('tenantId')), eq(sessions.id, param('id')), isSessionValid(db))),
)

/** Returns a valid session. Does not check whether the session has expired. */
export async function findSession(db: Reader, tenantId: string, id: string): Promise<SessionRow | undefined> {
  const [row] = await byId(db, { tenantId, id })
  return row
}

const byExchange = prepared('session_by_exchange', (db) =>
  db
    .select()
    .from(sessions)
    .where(
      and(
        eq(sessions.tenantId, param('tenantId')),
        eq(sessions.authorizationId, param('authorizationId')),
        isNotNull(sessions.authorizationId),
        eq(sessions.exchangedHash, param('exchangedHash')),
        isSessionValid(db),
      ),
    ),
)

/** Returns the session for which a code or refresh token of an authorization was exchanged. */
export async function findExchanged(
  db: Reader,
  tenantId: string,
  authorizationId: string,
  exchangedHash: string,
): Promise<SessionRow | undefined> {
  const [row] = await byExchange(db, { tenantId, authorizationId, exchangedHash })
  return row
}

/**
 * Deletes a session or those of an authorization, and the rows that belong to them: the configurations that they got.
 */
export async function deleteSessions(
  tx: Writer,
  tenantId: string,
  which: { id: string } | { authorizationId: string },
): Promise<void> {
  const { id, authorizationId } = sessions
  const condition =
    'id' in which
      ? and(inRow(sessions.tenantId, tenantId), eq(id, which.id))
      : and(eq(sessions.tenantId, tenantId), eq(authorizationId, which.authorizationId))
  const deleted = await tx.delete(sessions).where(condition).returning({ id })
  await removeDependents(
    tx,
    sessions,
    tenantId,
    deleted.map(({ id }) => id),
  )
}

/** Extends a session while it has a deferred issuance. */
export async function extendSession(tx: Writer, tenantId: string, id: string, expiresAt: Date): Promise<void> {
  await tx
    .update(sessions)
    .set({ expiresAt })
    .where(and(inRow(sessions.tenantId, tenantId), eq(sessions.id, id), lt(sessions.expiresAt, expiresAt)))
}

const left = sql`coalesce(${sessions.credentialsLeft}, ${sql.raw(String(defaultSettings.maxCredentialsPerSession))})`

const take = prepared('take_credentials', (tx) =>
  tx
    .update(sessions)
    .set({ credentialsLeft: sql`case when ${left} > ${param('count')} then ${left} - ${param('count')} else 0 end` })
    .where(
      and(inRow(sessions.tenantId, param('tenantId')), eq(sessions.id, param('id')), sql`${left} >= ${param('least')}`),
    )
    .returning({ id: sessions.id }),
)

/**
 * Counts credentials that a session of an authorization requests. Returns false and counts nothing if not so many are
 * left. The first credential of a configuration is counted in any case.
 */
export async function takeCredentials(
  tx: Writer,
  tenantId: string,
  id: string,
  count: number,
  { isFirst = false } = {},
): Promise<boolean> {
  const rows = await take(tx, { tenantId, id, count, least: isFirst ? 0 : count })
  return rows.length === 1
}

const sent = preparedWrite('session_sent', (tx) =>
  tx
    .update(sessions)
    .set({ sentAt: paramOf(sessions.sentAt, 'at') })
    .where(eq(sessions.id, param('id'))),
)

/** Stores that wallets have their tokens. Selects by id only, because one process marks sessions of many tenants. */
export async function markSent(tx: Writer, ids: Iterable<string>, at: Date): Promise<void> {
  // Sorted, for the lock order of hold.ts: a transaction that counts credentials changes the same rows.
  for (const id of [...ids].sort()) await sent(tx, { id, at })
}
