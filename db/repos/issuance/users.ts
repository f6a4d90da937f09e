import { setImmediate } from 'node:timers/promises'
import { and, asc, eq, getTableColumns, inArray, isNull, or } from 'drizzle-orm'
import { Problem } from '../../../shared/errors.ts'
import { newOrderedId } from '../../../shared/ids.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { param, paramOf, prepared, preparedInsert } from '../../engine/prepared.ts'
import { hold, holdShared } from '../../hold.ts'
import { afterCursor, type Cursor } from '../../page.ts'
import { authenticationProviders } from '../../tables/issuance/sign-in-providers.ts'
import { userClaimTerms } from '../../tables/issuance/user-claim-terms.ts'
import { type Claims, users } from '../../tables/issuance/users.ts'
import { chunksOf } from '../chunks.ts'
import { countIndexed, mostIndexedClaims, termBatch, termsOfClaims, termsOfProvider } from './claim-terms.ts'

type UserRow = typeof users.$inferSelect

const most = mostIndexedClaims.toLocaleString('en')

/** The user would have more values than can be indexed. */
export class TooManyClaims extends Problem {
  constructor() {
    const msg = `A user can have at most ${most} values, where each object counts as one more`
    super('bad_request', { details: [{ msg, param: 'claims', location: 'body' }] })
  }

  /** For claims that come from elsewhere, and not in the body of a request. `setting` says which of them are kept. */
  toldOf(setting: string): string {
    return `The user would have more than ${most} values. Remove claims of the user, or keep fewer (${setting})`
  }
}

/** A user, with the address of the provider at which it signs in. */
export type User = UserRow & { providerUrl: string | null }

/** Who a user is: a subject of an issuer (OpenID Connect Core 1.0, section 2), which the tenant's provider is of. */
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
      createdAt: paramOf(users.createdAt, 'createdAt'),
    })
    .onConflictDoNothing()
    .returning({ id: users.id }),
)

const insertRows = preparedInsert('insert_users', users)

/**
 * Makes a user. Undefined when another one has the same provider and subject; never without a provider. Throws `TooManyClaims`.
 */
export async function insertUser(
  tx: Writer,
  tenantId: string,
  { claims, provider }: { claims: Claims; provider?: ProviderSubject },
  at: Date,
): Promise<User | undefined> {
  refuseTooMany(claims)
  const nobody = { providerId: null, subjectId: null, issuer: null }
  const row = { id: newOrderedId(at), tenantId, claims, ...nobody, ...provider, createdAt: at }
  if (provider && (await insert(tx, row)).length === 0) return undefined
  if (!provider) await insertRows(tx, [row])
  await insertTerms(tx, row, [...(await termsOf(row))])
  return provider ? findUser(tx, tenantId, row.id) : { ...row, providerUrl: null }
}

const byId = prepared('user_by_id', (db) =>
  selectUsers(db).where(and(inRow(users.tenantId, param('tenantId')), eq(users.id, param('id')))),
)

export async function findUser(db: Reader, tenantId: string, id: string): Promise<User | undefined> {
  const [row] = await byId(db, { tenantId, id })
  return row
}

/** The id of the user that signs in as this subject. */
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

/** Users by their ids, in the order of these. Sorted here: to sort by itself, SQLite would read all users in order. */
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

/**
 * Replaces what is given; undefined when there is no such user. Throws a unique violation when the subject is taken, and
 * `TooManyClaims`.
 */
export async function updateUser(
  tx: Writer,
  tenantId: string,
  id: string,
  changes: { claims?: Claims; provider?: ProviderSubject },
): Promise<User | undefined> {
  // Its terms are replaced by comparing with it.
  const before = await hold(tx, users, tenantId, id)
  if (!before) return undefined
  const after = { ...before, ...(changes.claims ? { claims: changes.claims } : {}), ...changes.provider }
  await store(tx, before, after)
  return findUser(tx, tenantId, id)
}

/**
 * Merges named claims into a user's, each in the place of the claim of its name, and keeps the user from being removed until
 * the transaction ends, also when there are none: what follows refers to it. False when there is no such user. Throws
 * `TooManyClaims`.
 */
export async function persistClaims(tx: Writer, tenantId: string, userId: string, claims: Claims): Promise<boolean> {
  if (Object.keys(claims).length === 0) return (await holdShared(tx, users, tenantId, userId)) !== undefined
  const before = await hold(tx, users, tenantId, userId)
  if (before) await store(tx, before, { ...before, claims: { ...before.claims, ...claims } })
  return before !== undefined
}

/**
 * Removes the user itself, with what it is found by; see `eraseUser`. It goes first: whoever makes something for it holds
 * it, and what was made meanwhile is seen by what follows. False when there is no such user.
 */
export async function deleteUserRow(tx: Writer, tenantId: string, id: string): Promise<boolean> {
  const [deleted] = await tx
    .delete(users)
    .where(and(inRow(users.tenantId, tenantId), eq(users.id, id)))
    .returning()
  if (deleted) await deleteTerms(tx, deleted, [...(await termsOf(deleted))])
  return deleted !== undefined
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

async function store(tx: Writer, before: UserRow, after: UserRow): Promise<void> {
  refuseTooMany(after.claims, before.claims)
  const { tenantId, id, claims, providerId, subjectId, issuer } = after
  await tx
    .update(users)
    .set({ claims, providerId, subjectId, issuer })
    .where(and(inRow(users.tenantId, tenantId), eq(users.id, id)))
  const [old, current] = [await termsOf(before), await termsOf(after)]
  await deleteTerms(tx, before, [...old.difference(current)])
  await insertTerms(tx, after, [...current.difference(old)])
}

/** A user that had more values already can keep as many. */
function refuseTooMany(claims: Claims, before: Claims = {}): void {
  const count = countIndexed(claims)
  if (count <= mostIndexedClaims || count <= countIndexed(before)) return
  throw new TooManyClaims()
}

async function termsOf({ claims, providerId, subjectId }: UserRow): Promise<Set<string>> {
  const terms = await termsOfClaims(claims)
  return providerId && subjectId ? terms.union(new Set(termsOfProvider({ providerId, subjectId }))) : terms
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

async function deleteTerms(tx: Writer, { tenantId, id, createdAt }: UserRow, terms: string[]): Promise<void> {
  for (const [at, chunk] of chunksOf(terms, termBatch).entries()) {
    if (at > 0) await setImmediate()
    await tx
      .delete(userClaimTerms)
      .where(
        and(
          eq(userClaimTerms.tenantId, tenantId),
          inArray(userClaimTerms.term, chunk),
          eq(userClaimTerms.createdAt, createdAt),
          eq(userClaimTerms.userId, id),
        ),
      )
  }
}
