import { and, desc, eq, gt, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { param, paramOf, prepared } from '../../engine/prepared.ts'
import { type KeyAlgorithm, type KeyOwnerKind, type KeyPurpose, keys } from '../../tables/identifiers/keys.ts'
import { destroyInProviders } from './key-destruction.ts'

export type KeyRow = typeof keys.$inferSelect

/** The owner of a key within the tenant. */
export interface KeyOwner {
  kind: KeyOwnerKind
  id: string
}

/** The owner of the keys of a tenant itself: at least one for each purpose. */
export const tenantOwner: KeyOwner = { kind: 'tenant', id: '' }

export interface KeyUse {
  purpose: KeyPurpose
  algorithm: KeyAlgorithm
}

/** Matches the keys of an owner for a purpose. */
function ofOwner(tenantId: string, { kind, id }: KeyOwner, purpose: KeyPurpose): SQL | undefined {
  return and(eq(keys.tenantId, tenantId), eq(keys.ownerKind, kind), eq(keys.ownerId, id), eq(keys.purpose, purpose))
}

export async function insertKeys(tx: Writer, rows: (typeof keys.$inferInsert)[]): Promise<void> {
  await tx.insert(keys).values(rows)
}

const byId = prepared('key_by_id', (db) =>
  db
    .select()
    .from(keys)
    .where(and(inRow(keys.tenantId, param('tenantId')), eq(keys.id, param('id')))),
)

/** Finds a key for the signing process, which alone can unwrap the private key. */
export async function findKey(db: Reader, tenantId: string, id: string): Promise<KeyRow | undefined> {
  const [row] = await byId(db, { tenantId, id })
  return row
}

/** Matches the keys of an owner for a purpose, in a prepared query. */
const ofNamedOwner = and(
  eq(keys.tenantId, param('tenantId')),
  eq(keys.ownerKind, param('kind')),
  eq(keys.ownerId, param('ownerId')),
  eq(keys.purpose, param('purpose')),
)

const newestId = prepared('signing_key_id', (db) =>
  db
    .select({ id: keys.id })
    .from(keys)
    .where(and(ofNamedOwner, eq(keys.algorithm, param('algorithm')), isNull(keys.retiredAt)))
    .orderBy(desc(keys.createdAt), keys.id)
    .limit(1),
)

/** Returns the id of the newest key that is not retired, for an owner, a purpose and an algorithm. */
export async function findSigningKeyId(
  db: Reader,
  tenantId: string,
  { kind, id: ownerId }: KeyOwner,
  { purpose, algorithm }: KeyUse,
): Promise<string | undefined> {
  const [row] = await newestId(db, { tenantId, kind, ownerId, purpose, algorithm })
  return row?.id
}

export type PublicKeyRow = Pick<KeyRow, 'id' | 'algorithm' | 'publicJwk'>
export type PublishedKeyRow = PublicKeyRow & Pick<KeyRow, 'provider' | 'createdAt' | 'retiredAt' | 'publishedUntil'>

/** Matches retired keys that are still published, because their signatures can still be valid. */
function isRetiredAndPublished(at: Date | SQL): SQL | undefined {
  return and(isNotNull(keys.retiredAt), or(isNull(keys.publishedUntil), gt(keys.publishedUntil, at)))
}

const published = prepared('published_keys', (db) => {
  const { id, algorithm, publicJwk, provider, createdAt, retiredAt, publishedUntil } = keys
  const isPublished = isRetiredAndPublished(paramOf(publishedUntil, 'at'))
  return db
    .select({ id, algorithm, publicJwk, provider, createdAt, retiredAt, publishedUntil })
    .from(keys)
    .where(and(ofNamedOwner, or(isNull(retiredAt), isPublished)))
    .orderBy(sql`${retiredAt} is not null`, desc(createdAt), id)
})

/**
 * Returns the published public keys of an owner, newest first: current keys, then retired keys whose signatures are
 * still in use.
 */
export async function findPublishedKeys(
  db: Reader,
  tenantId: string,
  { kind, id: ownerId }: KeyOwner,
  purpose: KeyPurpose,
  at: Date,
): Promise<PublishedKeyRow[]> {
  return published(db, { tenantId, kind, ownerId, purpose, at })
}

/** Counts the tenant's own retired keys that are published at a time. */
export async function countRetired(db: Reader, tenantId: string, purpose: KeyPurpose, at: Date): Promise<number> {
  return db.$count(keys, and(ofOwner(tenantId, tenantOwner, purpose), isRetiredAndPublished(at)))
}

const current = prepared('current_keys', (db) =>
  db
    .select({ id: keys.id, createdAt: keys.createdAt })
    .from(keys)
    .where(and(ofNamedOwner, isNull(keys.retiredAt)))
    .orderBy(keys.id),
)

/** Returns the keys of an owner for a purpose that are not retired, in lock order. */
export async function findCurrentKeys(
  db: Reader,
  tenantId: string,
  { kind, id: ownerId }: KeyOwner,
  purpose: KeyPurpose,
): Promise<{ id: string; createdAt: Date }[]> {
  return current(db, { tenantId, kind, ownerId, purpose })
}

const endedEncryptionKey = prepared('ended_encryption_key', (db) =>
  db
    .select({ id: keys.id })
    .from(keys)
    .where(and(ofNamedOwner, lte(keys.publishedUntil, paramOf(keys.publishedUntil, 'at'))))
    .limit(1),
)

/** Returns whether a tenant has encryption keys that no longer decrypt. */
export async function hasEndedEncryptionKeys(db: Reader, tenantId: string, at: Date): Promise<boolean> {
  const { kind, id: ownerId } = tenantOwner
  return (await endedEncryptionKey(db, { tenantId, kind, ownerId, purpose: 'encryption', at })).length > 0
}

export async function findPublicKey(db: Reader, tenantId: string, owner: KeyOwner, purpose: KeyPurpose, id: string) {
  const [row] = await db
    .select({ publicJwk: keys.publicJwk })
    .from(keys)
    .where(and(ofOwner(tenantId, owner, purpose), eq(keys.id, id)))
  return row?.publicJwk
}

/** Returns the public keys with which wallets encrypt: those that are not retired. */
export async function findEncryptionKeys(db: Reader, tenantId: string): Promise<PublicKeyRow[]> {
  return db
    .select({ id: keys.id, algorithm: keys.algorithm, publicJwk: keys.publicJwk })
    .from(keys)
    .where(and(ofOwner(tenantId, tenantOwner, 'encryption'), isNull(keys.retiredAt)))
    .orderBy(desc(keys.createdAt), keys.id)
}

/** Returns an encryption key that still decrypts. For the signing process, which alone can unwrap the private key. */
export async function findOpeningKey(db: Reader, tenantId: string, id: string, at: Date): Promise<KeyRow | undefined> {
  const [row] = await db
    .select()
    .from(keys)
    .where(
      and(
        ofOwner(tenantId, tenantOwner, 'encryption'),
        eq(keys.id, id),
        or(isNull(keys.retiredAt), gt(keys.publishedUntil, at)),
      ),
    )
  return row
}

/**
 * Deletes encryption keys that no longer decrypt, and returns their ids. Recorded traffic can then never be decrypted.
 */
export async function deleteEndedEncryptionKeys(tx: Writer, tenantId: string, at: Date): Promise<string[]> {
  const rows = await tx
    .delete(keys)
    .where(and(ofOwner(tenantId, tenantOwner, 'encryption'), lte(keys.publishedUntil, at)))
    .returning({ id: keys.id, tenantId: keys.tenantId, provider: keys.provider, handle: keys.handle })
  await destroyInProviders(tx, rows, at)
  return rows.map(({ id }) => id)
}

/**
 * Retires the keys of an owner for a purpose. They stay published until the given time; null means without end. A key of a
 * DID stays published longer if its row says so.
 */
export async function retireKeys(
  tx: Writer,
  tenantId: string,
  owner: KeyOwner,
  purpose: KeyPurpose,
  at: Date,
  publishedUntil: Date | null,
): Promise<void> {
  const current = and(ofOwner(tenantId, owner, purpose), isNull(keys.retiredAt))
  const isShorter = purpose === 'did' && publishedUntil ? lt(keys.publishedUntil, publishedUntil) : undefined
  await tx.update(keys).set({ publishedUntil }).where(and(current, isShorter))
  await tx.update(keys).set({ retiredAt: at }).where(current)
}

/**
 * Keeps all keys of DIDs published without end. For a restored database: it does not record until when the signatures
 * after the backup are valid.
 */
export async function publishKeysPermanently(tx: Writer): Promise<void> {
  await tx
    .update(keys)
    .set({ publishedUntil: null })
    .where(and(eq(keys.ownerKind, 'tenant'), eq(keys.purpose, 'did')))
}

/** Keeps a key published at least until a time. Null means without end. */
export async function extendPublication(
  tx: Writer,
  tenantId: string,
  id: string,
  publishedUntil: Date | null,
): Promise<void> {
  const isShorter = publishedUntil ? lt(keys.publishedUntil, publishedUntil) : isNotNull(keys.publishedUntil)
  await tx
    .update(keys)
    .set({ publishedUntil })
    .where(and(inRow(keys.tenantId, tenantId), eq(keys.id, id), isShorter))
}

/** Deletes the keys of an owner for a purpose, also in their providers. Nothing can be signed with them afterwards. */
export async function deleteKeys(
  tx: Writer,
  tenantId: string,
  owner: KeyOwner,
  purpose: KeyPurpose,
  at: Date,
): Promise<void> {
  const rows = await tx
    .delete(keys)
    .where(ofOwner(tenantId, owner, purpose))
    .returning({ id: keys.id, tenantId: keys.tenantId, provider: keys.provider, handle: keys.handle })
  await destroyInProviders(tx, rows, at)
}
