import { and, eq, exists, getTableColumns, inArray, or, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { constant, param, paramOf, prepared, preparedInsert, preparedWrite } from '../../engine/prepared.ts'
import { shared } from '../../hold.ts'
import { credentials } from '../../tables/issuance/credentials.ts'
import { issuances, type Refusal } from '../../tables/issuance/issuances.ts'
import { sessionClaims } from '../../tables/issuance/session-claims.ts'
import { sessions } from '../../tables/issuance/sessions.ts'
import { isSessionValid } from './sessions/session-validity.ts'
import type { ProofUse } from './sessions/spent-proofs.ts'

export type IssuanceRow = typeof issuances.$inferSelect
export type CredentialRow = typeof credentials.$inferSelect

export type NewIssuance = Omit<
  IssuanceRow,
  'state' | 'credentials' | 'endedAt' | 'deferredAt' | 'deliveredAt' | 'refusal'
>

/** An issuance without a row, with the single-use values that its row spends. */
export interface UnwrittenIssuance {
  issuance: NewIssuance
  uses: ProofUse[]
}

/**
 * Selects the session of an issuance if it is valid. Locks the session shared until the transaction ends. A transaction
 * that deletes it, with a user or an authorization, then finds the rows that were written for it.
 */
function validSession(tx: Writer) {
  const rows = tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(inRow(sessions.tenantId, param('tenantId')), eq(sessions.id, param('sessionId')), isSessionValid(tx)))
  return shared(rows, sessions)
}

const insert = prepared('insert_issuance', (tx) => {
  const columns = Object.entries(getTableColumns(issuances)).map(([key, column]) => paramOf(column, key))
  return tx
    .insert(issuances)
    .select(sql`select ${sql.join(columns, sql`, `)} where ${exists(validSession(tx))}`)
    .onConflictDoNothing()
    .returning({ id: issuances.id })
})

/** Stores an issuance. Returns false if it has a row, or its session is not valid any more. */
async function insertIssuance(
  tx: Writer,
  issuance: NewIssuance,
  result: Pick<IssuanceRow, 'state'> & Partial<Pick<IssuanceRow, 'credentials' | 'endedAt' | 'deferredAt'>>,
): Promise<boolean> {
  const nothingYet = { credentials: null, endedAt: null, deferredAt: null, deliveredAt: null, refusal: null }
  const rows = await insert(tx, { ...issuance, ...nothingYet, ...result })
  return rows.length === 1
}

/** Stores an issuance that is not signed yet. `deferredAt` is set if the wallet returns later. Returns false like `insertIssuance`. */
export function insertRequested(tx: Writer, issuance: NewIssuance, deferredAt: Date | null = null): Promise<boolean> {
  return insertIssuance(tx, issuance, { state: 'requested', deferredAt })
}

/** Stores a signed issuance without its claims. Returns false like `insertIssuance`. */
export function insertIssued(tx: Writer, issuance: NewIssuance, sealed: string, at: Date): Promise<boolean> {
  return insertIssuance(tx, { ...issuance, ...wiped }, { state: 'issued', credentials: sealed, endedAt: at })
}

/** Stores that an issuance was not signed in time, so that it cannot be signed later. Returns false like `insertIssuance`. */
export function insertAbandoned(tx: Writer, issuance: NewIssuance, at: Date): Promise<boolean> {
  return insertIssuance(tx, { ...issuance, ...wiped }, { state: 'abandoned', endedAt: at })
}

/** An issuance that ended has no claims. */
const wiped = { claims: null, validity: null }

/** Returns true if a credential request was accepted with the token of the session. Then the wallet has the token. */
export async function isSessionUsed(
  db: Reader,
  tenantId: string,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  const [row] = await db
    .select({ id: issuances.id })
    .from(issuances)
    .where(and(eq(issuances.tenantId, tenantId), eq(issuances.userId, userId), eq(issuances.sessionId, id)))
    .limit(1)
  return row !== undefined
}

/** The columns of an issuance from which a wallet gets its response. */
export type IssuanceResult = Pick<
  IssuanceRow,
  'id' | 'sessionId' | 'authorizationId' | 'state' | 'credentials' | 'deferredAt' | 'deliveredAt' | 'refusal'
>

const byId = prepared('issuance_by_id', (db) =>
  db
    .select({
      id: issuances.id,
      sessionId: issuances.sessionId,
      authorizationId: issuances.authorizationId,
      state: issuances.state,
      credentials: issuances.credentials,
      deferredAt: issuances.deferredAt,
      deliveredAt: issuances.deliveredAt,
      refusal: issuances.refusal,
    })
    .from(issuances)
    .where(and(inRow(issuances.tenantId, param('tenantId')), eq(issuances.id, param('id')))),
)

export async function findIssuance(db: Reader, tenantId: string, id: string): Promise<IssuanceResult | undefined> {
  const [row] = await byId(db, { tenantId, id })
  return row
}

/** Returns the first issuance of a session for a configuration. */
export async function findClaimedIssuance(
  db: Reader,
  tenantId: string,
  sessionId: string,
  configurationId: string,
): Promise<IssuanceRow | undefined> {
  const [row] = await db
    .select({ issuance: issuances })
    .from(sessionClaims)
    .innerJoin(issuances, eq(issuances.id, sessionClaims.issuanceId))
    .where(
      and(
        eq(sessionClaims.tenantId, tenantId),
        eq(sessionClaims.sessionId, sessionId),
        eq(sessionClaims.configurationId, configurationId),
      ),
    )
  return row?.issuance
}

const finish = prepared('finish_issuance', (tx) =>
  tx
    .update(issuances)
    .set({
      state: 'issued',
      claims: null,
      validity: null,
      credentials: paramOf(issuances.credentials, 'credentials'),
      endedAt: paramOf(issuances.endedAt, 'at'),
    })
    .where(
      and(
        inRow(issuances.tenantId, param('tenantId')),
        eq(issuances.id, param('id')),
        inRow(issuances.state, constant('requested')),
        inArray(issuances.sessionId, validSession(tx)),
      ),
    )
    .returning({ id: issuances.id }),
)

/**
 * Moves an issuance from `requested` to `issued` with the sealed credentials, and wipes its claims. Returns false if
 * it is not `requested`, or the session is not valid any more.
 */
export async function finishIssuance(
  tx: Writer,
  { tenantId, id, sessionId }: Pick<IssuanceRow, 'tenantId' | 'id' | 'sessionId'>,
  sealed: string,
  at: Date,
): Promise<boolean> {
  const rows = await finish(tx, { tenantId, id, sessionId, credentials: sealed, at })
  return rows.length === 1
}

/** An issuance to refuse. */
export interface RefusedIssuance {
  id: string
  refusal: Refusal
  /** Whether the issuance may have been finished in this transaction. Otherwise it is refused only if it is `requested`. */
  isLost?: boolean
}

/** Refuses issuances with their reasons. Returns the ids of the refused issuances. */
export async function refuseIssuances(
  tx: Writer,
  tenantId: string,
  refused: readonly RefusedIssuance[],
  at: Date,
): Promise<string[]> {
  const ids: string[] = []
  for (const same of Map.groupBy(refused, ({ refusal }) => JSON.stringify(refusal)).values()) {
    const lost = same.filter(({ isLost }) => isLost).map(idOf)
    const mayEnd = or(inRow(issuances.state, 'requested'), inArray(issuances.id, lost))
    const refusal = same[0]?.refusal ?? null
    const rows = await tx
      .update(issuances)
      .set({ state: 'refused', credentials: null, claims: null, validity: null, endedAt: at, refusal })
      .where(and(inRow(issuances.tenantId, tenantId), inArray(issuances.id, same.map(idOf)), mayEnd))
      .returning({ id: issuances.id })
    ids.push(...rows.map(idOf))
  }
  return ids
}

function idOf({ id }: { id: string }): string {
  return id
}

const claim = prepared('claim_session', (tx) =>
  tx
    .insert(sessionClaims)
    .values({
      tenantId: paramOf(sessionClaims.tenantId, 'tenantId'),
      sessionId: paramOf(sessionClaims.sessionId, 'sessionId'),
      configurationId: paramOf(sessionClaims.configurationId, 'configurationId'),
      issuanceId: paramOf(sessionClaims.issuanceId, 'issuanceId'),
    })
    .onConflictDoNothing()
    .returning({ issuanceId: sessionClaims.issuanceId }),
)

/** Returns false if the session got a credential of this configuration before. */
export async function claimSession(tx: Writer, row: typeof sessionClaims.$inferSelect): Promise<boolean> {
  const rows = await claim(tx, row)
  return rows.length === 1
}

/** Inserts the records of issued credentials. */
export const insertCredentials = preparedInsert('insert_credentials', credentials)

const deliver = preparedWrite('deliver_issuance', (tx) =>
  tx
    .update(issuances)
    .set({ deliveredAt: paramOf(issuances.deliveredAt, 'at') })
    .where(eq(issuances.id, param('id'))),
)

/**
 * Stores that wallets have their credentials. Selects by id only, because one process marks issuances of many tenants.
 */
export async function markDelivered(tx: Writer, ids: Iterable<string>, at: Date): Promise<void> {
  for (const id of ids) await deliver(tx, { id, at })
}
