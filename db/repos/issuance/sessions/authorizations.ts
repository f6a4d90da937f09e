import { and, eq, gt, lt, ne, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../../client.ts'
import { inRow } from '../../../columns.ts'
import { param, paramOf, prepared, preparedInsert } from '../../../engine/prepared.ts'
import { findRow } from '../../../find-row.ts'
import { authorizations } from '../../../tables/issuance/authorizations.ts'
import { pushedRequests } from '../../../tables/issuance/pushed-requests.ts'
import { refreshTokens } from '../../../tables/issuance/refresh-tokens.ts'
import { isRegistrationValid } from './session-validity.ts'
import { deleteSessions } from './sessions.ts'

export type AuthorizationRow = typeof authorizations.$inferSelect
export type PushedRequestRow = typeof pushedRequests.$inferSelect

const insertRows = preparedInsert('insert_authorizations', authorizations)

export async function insertAuthorization(tx: Writer, row: AuthorizationRow): Promise<void> {
  await insertRows(tx, [row])
}

/** An authorization that a server of the tenant gave to a client. */
type GrantToClient = Pick<
  AuthorizationRow,
  'id' | 'tenantId' | 'clientId' | 'configurationIds' | 'offerId' | 'viewId' | 'userId' | 'expiresAt'
>

/**
 * Stores what an authorization server of the tenant granted to a client for a person, or extends it. Each token of the client for the
 * person has a session of this authorization.
 */
export async function storeGrantToClient(tx: Writer, grant: GrantToClient, at: Date): Promise<void> {
  const row: AuthorizationRow = {
    ...{ ...grant, state: 'redeemed', registrationId: null, redirectUri: '', pushedRequestId: null, clientState: null },
    ...{ detailsRequested: false, codeChallenge: '', dpopJkt: null, instanceJkt: null, claimLinkId: null },
    ...{ requestParameters: {}, stepHash: null, sealedLogin: null, hookClaims: null, codeHash: null },
    ...{ traceparent: null, createdAt: at },
  }
  await tx.insert(authorizations).values(row).onConflictDoNothing()
  await extendAuthorization(tx, grant.tenantId, grant.id, grant.expiresAt)
}

const byId = prepared('authorization_by_id', (db) =>
  db
    .select()
    .from(authorizations)
    .where(
      and(
        inRow(authorizations.tenantId, param('tenantId')),
        eq(authorizations.id, param('id')),
        isRegistrationValid(db, authorizations),
      ),
    ),
)

/** Returns an authorization whose client registration exists. Does not check whether the authorization has expired. */
export async function findAuthorization(
  db: Reader,
  tenantId: string,
  id: string,
): Promise<AuthorizationRow | undefined> {
  const [row] = await byId(db, { tenantId, id })
  return row
}

/** The columns that a step may change. */
type Step = Pick<
  AuthorizationRow,
  'state' | 'stepHash' | 'sealedLogin' | 'userId' | 'hookClaims' | 'codeHash' | 'expiresAt'
>

const move = prepared('move_authorization', (tx) =>
  tx
    .update(authorizations)
    .set({
      state: paramOf(authorizations.state, 'state'),
      stepHash: paramOf(authorizations.stepHash, 'stepHash'),
      sealedLogin: paramOf(authorizations.sealedLogin, 'sealedLogin'),
      userId: paramOf(authorizations.userId, 'userId'),
      hookClaims: paramOf(authorizations.hookClaims, 'hookClaims'),
      codeHash: paramOf(authorizations.codeHash, 'codeHash'),
      expiresAt: paramOf(authorizations.expiresAt, 'expiresAt'),
    })
    .where(
      and(
        inRow(authorizations.tenantId, param('tenantId')),
        eq(authorizations.id, param('id')),
        eq(authorizations.state, param('stateBefore')),
        sql`coalesce(${authorizations.stepHash}, '') = ${param('stepBefore')}`,
        gt(authorizations.expiresAt, paramOf(authorizations.expiresAt, 'at')),
        isRegistrationValid(tx, authorizations),
      ),
    )
    .returning(),
)

/**
 * Moves an authorization one step. Returns undefined if its state is not that of `row` any more, it has expired, or its
 * client is deleted.
 */
export async function advanceAuthorization(
  tx: Writer,
  row: AuthorizationRow,
  changes: Partial<Step>,
  at: Date,
): Promise<AuthorizationRow | undefined> {
  const { state: stateBefore, stepHash: stepBefore } = row
  const [moved] = await move(tx, { ...row, ...changes, stateBefore, stepBefore: stepBefore ?? '', at })
  return moved
}

/** Extends an authorization until everything that it granted has expired. */
export async function extendAuthorization(tx: Writer, tenantId: string, id: string, until: Date): Promise<void> {
  await tx
    .update(authorizations)
    .set({ expiresAt: until })
    .where(
      and(inRow(authorizations.tenantId, tenantId), eq(authorizations.id, id), lt(authorizations.expiresAt, until)),
    )
}

/** Revokes everything that an authorization granted (RFC 6749, section 4.1.2; RFC 9700, section 4.14.2). */
export async function revokeAuthorization(tx: Writer, tenantId: string, id: string): Promise<void> {
  await tx
    .update(authorizations)
    .set({ state: 'ended', codeHash: null, hookClaims: null })
    .where(and(inRow(authorizations.tenantId, tenantId), eq(authorizations.id, id)))
  await tx.delete(refreshTokens).where(and(eq(refreshTokens.tenantId, tenantId), eq(refreshTokens.authorizationId, id)))
  await deleteSessions(tx, tenantId, { authorizationId: id })
}

export async function insertPushedRequest(tx: Writer, row: PushedRequestRow): Promise<void> {
  await tx.insert(pushedRequests).values(row)
}

export function findPushedRequest(db: Reader, tenantId: string, id: string): Promise<PushedRequestRow | undefined> {
  return findRow(db, pushedRequests, tenantId, id)
}

/** The columns that opening a pushed request sets. */
export type Opening = Pick<PushedRequestRow, 'authorizationId' | 'openUntil'>

/**
 * Stores that a browser has opened a pushed request and continues with an authorization. Returns false if the request
 * is spent.
 */
export async function openPushedRequest(tx: Writer, tenantId: string, id: string, opening: Opening): Promise<boolean> {
  const rows = await tx
    .update(pushedRequests)
    .set(opening)
    .where(unspent(tenantId, id))
    .returning({ id: pushedRequests.id })
  return rows.length === 1
}

/** Extends a pushed request as long as its authorization may take. */
export async function extendPushedRequest(tx: Writer, tenantId: string, id: string, until: Date): Promise<void> {
  await tx
    .update(pushedRequests)
    .set({ expiresAt: until })
    .where(and(unspent(tenantId, id), lt(pushedRequests.expiresAt, until)))
}

/**
 * Spends a pushed request for an authorization that ends with a response to the wallet. Returns false if it was spent
 * before.
 */
export async function spendPushedRequest(
  tx: Writer,
  tenantId: string,
  id: string,
  authorizationId: string,
): Promise<boolean> {
  const rows = await tx
    .update(pushedRequests)
    .set({ secretHash: '', parameters: {}, authorizationId })
    .where(unspent(tenantId, id))
    .returning({ id: pushedRequests.id })
  return rows.length === 1
}

function unspent(tenantId: string, id: string) {
  return and(inRow(pushedRequests.tenantId, tenantId), eq(pushedRequests.id, id), ne(pushedRequests.secretHash, ''))
}
