import { setImmediate } from 'node:timers/promises'
import { and, asc, eq, getTableColumns, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { Problem } from '../../../../shared/errors/errors.ts'
import { newOrderedId } from '../../../../shared/ids.ts'
import type { Reader, Writer } from '../../../client.ts'
import { folded, foldedText, inRow } from '../../../columns.ts'
import { param, paramOf, prepared, preparedInsert } from '../../../engine/prepared.ts'
import { hold, holdShared } from '../../../hold.ts'
import { afterCursor, type Cursor } from '../../../page.ts'
import { authenticationProviders } from '../../../tables/issuance/sign-in-providers.ts'
import { userClaimTerms } from '../../../tables/issuance/user-claim-terms.ts'
import { type Claims, users } from '../../../tables/issuance/users.ts'
import { chunksOf } from '../../chunks.ts'
import { maxIndexedClaims, termBatch } from './claim-terms.ts'
import { changed, isTooMany, merged, noSubject, type UserTerms } from './user-terms.ts'

type UserRow = typeof users.$inferSelect

const limit = maxIndexedClaims.toLocaleString('en')

/** Reports that the user would have more values than can be indexed. */
export class TooManyClaims extends Problem {
  constructor() {
    const msg = `A user can have at most ${limit} values, where each object counts as one more`
    super('bad_request', { details: [{ msg, param: 'claims', location: 'body' }] })
  }

  /** Returns the message for claims of a sign-in. `setting` names the claims to persist. */
  messageFor(setting: string): string {
    return `The user would have more than ${limit} values. Remove claims of the user, or persist fewer claims (${setting})`
  }
}

/** A user with the address of the provider at which it signs in. */
export type User = UserRow & { providerUrl: string | null }

/** The subject of an issuer (OpenID Connect Core 1.0, section 2) as which a user signs in at a provider of the tenant. */
export interface ProviderSubject {
  providerId: string
  issuer: string
  subjectId: string
}

const insert = prepared('insert_user', (tx) =>
  tx
    .insert(users)
    .values({
      id: paramOf(users.id, 'id'),
      tenantId: paramOf(users.tenantId, 'tenantId'),
      claims: paramOf(users.claims, 'claims'),
      providerId: paramOf(users.providerId, 'providerId'),
      subjectId: paramOf(users.subjectId, 'subjectId'),
      issuer: paramOf(users.issuer, 'issuer'),
      label: paramOf(users.label, 'label'),
      createdAt: paramOf(users.createdAt, 'createdAt'),
    })
    .onConflictDoNothing()
    .returning({ id: users.id }),
)

const insertRows = preparedInsert('insert_users', users)

/** The claims, the subject and the label of a new user. */
export interface UserContent {
  claims: Claims
  provider?: ProviderSubject
  label?: string | null
}

/**
 * Inserts a user. Returns undefined if another user has the same provider and subject. Throws `TooManyClaims`. `terms`
 * needs the states of `statesOfNew`.
 */
export async function insertUser(
  tx: Writer,
  tenantId: string,
  { claims, provider, label = null }: UserContent,
  at: Date,
  terms: UserTerms,
): Promise<User | undefined> {
  refuseTooMany(claims)
  const row = { id: newOrderedId(at), tenantId, claims, ...noSubject, ...provider, label, createdAt: at }
  if (provider && (await insert(tx, row)).length === 0) return undefined
  if (!provider) await insertRows(tx, [row])
  const [current = new Set()] = terms.of([row])
  await insertTerms(tx, row, [...current])
  return provider ? findUser(tx, tenantId, row.id) : { ...row, providerUrl: null }
}

const byId = prepared('user_by_id', (db) =>
  selectUsers(db).where(and(inRow(users.tenantId, param('tenantId')), eq(users.id, param('id')))),
)

export async function findUser(db: Reader, tenantId: string, id: string): Promise<User | undefined> {
  const [row] = await byId(db, { tenantId, id })
  return row
}

/** Returns the id of the user that signs in as this subject. */
export async function findUserBySubject(
  db: Reader,
  tenantId: string,
  { providerId, issuer, subjectId }: ProviderSubject,
): Promise<string | undefined> {
  const [row] = await db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.tenantId, tenantId),
        eq(users.providerId, providerId),
        eq(users.subjectId, subjectId),
        or(eq(users.issuer, issuer), isNull(users.issuer)),
      ),
    )
  return row?.id
}

/** Returns users in the order of `ids`. With ORDER BY, SQLite would read all users of the tenant. */
export async function findUsers(db: Reader, tenantId: string, ids: string[]): Promise<User[]> {
  if (ids.length === 0) return []
  const rows = await selectUsers(db).where(and(eq(users.tenantId, tenantId), inArray(users.id, ids)))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

export async function listUsers(db: Reader, tenantId: string, limit: number, cursor?: Cursor): Promise<User[]> {
  return selectUsers(db)
    .where(and(eq(users.tenantId, tenantId), afterCursor(users.createdAt, users.id, cursor)))
    .orderBy(asc(users.createdAt), asc(users.id))
    .limit(limit + 1)
}

/** Lists the users with a label, oldest first. Capital and small letters are equal. */
export async function listUsersByLabel(
  db: Reader,
  tenantId: string,
  label: string,
  limit: number,
  cursor?: Cursor,
): Promise<User[]> {
  return selectUsers(db)
    .where(
      and(
        eq(users.tenantId, tenantId),
        isNotNull(users.label),
        sql`${folded(users.label)} = ${foldedText(label)}`,
        afterCursor(users.createdAt, users.id, cursor),
      ),
    )
    .orderBy(asc(users.createdAt), asc(users.id))
    .limit(limit + 1)
}

export interface UserChange {
  claims?: Claims
  provider?: ProviderSubject
  /** Null removes the label. */
  label?: string | null
}

/**
 * Replaces the claims, the subject and the label that are given. Returns undefined if the user does not exist. Throws a unique
 * violation if the subject is taken, and `TooManyClaims`. `terms` needs the states of `statesOfChange`.
 */
export async function updateUser(
  tx: Writer,
  tenantId: string,
  id: string,
  change: UserChange,
  terms: UserTerms,
): Promise<User | undefined> {
  // The terms that are written depend on the stored row.
  const before = await hold(tx, users, tenantId, id)
  if (!before) return undefined
  const { label = before.label } = change
  await store(tx, before, { ...changed(before, change), label }, terms)
  return findUser(tx, tenantId, id)
}

/**
 * Merges claims into those of a user. A claim replaces the stored claim of its name. Locks the user until the
 * transaction ends, also if there are no claims. Returns false if the user does not exist. Throws `TooManyClaims`.
 * `terms` needs the states of `statesOfMerge`.
 */
export async function persistClaims(
  tx: Writer,
  tenantId: string,
  userId: string,
  claims: Claims,
  terms: UserTerms,
): Promise<boolean> {
  if (Object.keys(claims).length === 0) return (await holdShared(tx, users, tenantId, userId)) !== undefined
  const before = await hold(tx, users, tenantId, userId)
  if (before) await store(tx, before, merged(before, claims), terms)
  return before !== undefined
}

/**
 * Deletes the row of a user and its index terms. `eraseUser` calls it first. A transaction that inserts rows of the user
 * locks the user, so later statements see these rows. Returns the number of the terms, or undefined if the user does not
 * exist. `terms` needs the states of `statesOfUser`.
 */
export async function deleteUserRow(
  tx: Writer,
  tenantId: string,
  id: string,
  terms: UserTerms,
): Promise<number | undefined> {
  const [deleted] = await tx
    .delete(users)
    .where(and(inRow(users.tenantId, tenantId), eq(users.id, id)))
    .returning()
  if (!deleted) return undefined
  const [old = new Set()] = terms.of([deleted])
  return deleteTerms(tx, deleted, [...old])
}

function selectUsers(db: Reader) {
  return db
    .select({ ...getTableColumns(users), providerUrl: authenticationProviders.url })
    .from(users)
    .leftJoin(
      authenticationProviders,
      and(inRow(authenticationProviders.tenantId, users.tenantId), eq(authenticationProviders.id, users.providerId)),
    )
}

async function store(tx: Writer, before: UserRow, after: UserRow, terms: UserTerms): Promise<void> {
  refuseTooMany(after.claims, before.claims)
  const [old = new Set(), current = new Set()] = terms.of([before, after])
  const { tenantId, id, claims, providerId, subjectId, issuer, label } = after
  await tx
    .update(users)
    .set({ claims, providerId, subjectId, issuer, label })
    .where(and(inRow(users.tenantId, tenantId), eq(users.id, id)))
  await deleteTerms(tx, before, [...old.difference(current)])
  await insertTerms(tx, after, [...current.difference(old)])
}

function refuseTooMany(claims: Claims, before: Claims = {}): void {
  if (isTooMany(claims, before)) throw new TooManyClaims()
}

const insertTermRows = preparedInsert('insert_user_claim_terms', userClaimTerms, 'doNothing')

async function insertTerms(tx: Writer, { tenantId, id, createdAt }: UserRow, terms: string[]): Promise<void> {
  for (const [at, batch] of chunksOf(terms, termBatch).entries()) {
    if (at > 0) await setImmediate()
    await insertTermRows(
      tx,
      batch.map((term) => ({ tenantId, term, createdAt, userId: id })),
    )
  }
}

/** Returns the number of the deleted terms. */
async function deleteTerms(tx: Writer, { tenantId, id, createdAt }: UserRow, terms: string[]): Promise<number> {
  let count = 0
  for (const [at, chunk] of chunksOf(terms, termBatch).entries()) {
    if (at > 0) await setImmediate()
    const deleted = await tx
      .delete(userClaimTerms)
      .where(
        and(
          eq(userClaimTerms.tenantId, tenantId),
          inArray(userClaimTerms.term, chunk),
          eq(userClaimTerms.createdAt, createdAt),
          eq(userClaimTerms.userId, id),
        ),
      )
      .returning({ term: userClaimTerms.term })
    count += deleted.length
  }
  return count
}
