import { and, desc, eq, gt, isNotNull, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { param, prepared } from '../../engine/prepared.ts'
import { type KeyAlgorithm, type KeyOwnerKind, type KeyPurpose, keys } from '../../tables/identifiers/keys.ts'

export type KeyRow = typeof keys.$inferSelect

/** Whose a key is, within the tenant. */
export interface KeyOwner {
  kind: KeyOwnerKind
  id: string
}

/** Who has one key or more for each purpose. */
export const tenantItself: KeyOwner = { kind: 'tenant', id: '' }

export interface KeyUse {
  purpose: KeyPurpose
  algorithm: KeyAlgorithm
}

/** The keys that an owner has for a purpose. */
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

/** Read by the signing process, which alone can open it. */
export async function findKey(db: Reader, tenantId: string, id: string): Promise<KeyRow | undefined> {
  const [row] = await byId(db, { tenantId, id })
  return row
}

const newestId = prepared('signing_key_id', (db) =>
  db
    .select({ id: keys.id })
    .from(keys)
    .where(
      and(
        eq(keys.tenantId, param('tenantId')),
        eq(keys.ownerKind, param('kind')),
        eq(keys.ownerId, param('ownerId')),
        eq(keys.purpose, param('purpose')),
        eq(keys.algorithm, param('algorithm')),
        isNull(keys.retiredAt),
      ),
    )
    .orderBy(desc(keys.createdAt), keys.id)
    .limit(1),
)

/** The newest key that an owner signs with now, for a purpose and with an algorithm. */
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
export type PublishedKeyRow = PublicKeyRow & Pick<KeyRow, 'createdAt' | 'retiredAt' | 'publishedUntil'>

/** Retired, and published at a time all the same: what they signed may be valid. */
function isRetiredAndPublished(at: Date): SQL | undefined {
  return and(isNotNull(keys.retiredAt), or(isNull(keys.publishedUntil), gt(keys.publishedUntil, at)))
}

/**
 * The public halves of an owner that are published at a time: keys that sign, and behind them retired ones whose signatures are
 * still about, the newest first.
 */
export async function findPublishedKeys(
  db: Reader,
  tenantId: string,
  owner: KeyOwner,
  purpose: KeyPurpose,
  at: Date,
): Promise<PublishedKeyRow[]> {
  const { id, algorithm, publicJwk, createdAt, retiredAt, publishedUntil } = keys
  return db
    .select({ id, algorithm, publicJwk, createdAt, retiredAt, publishedUntil })
    .from(keys)
    .where(and(ofOwner(tenantId, owner, purpose), or(isNull(retiredAt), isRetiredAndPublished(at))))
    .orderBy(sql`${retiredAt} is not null`, desc(createdAt), id)
}

/** How many of a tenant's own keys are retired, and published at a time. */
export async function countRetired(db: Reader, tenantId: string, purpose: KeyPurpose, at: Date): Promise<number> {
  return db.$count(keys, and(ofOwner(tenantId, tenantItself, purpose), isRetiredAndPublished(at)))
}

/** The keys that an owner has for a purpose and that are not retired, in the order in which they are held. */
export async function findCurrentKeys(
  db: Reader,
  tenantId: string,
  owner: KeyOwner,
  purpose: KeyPurpose,
): Promise<{ id: string; createdAt: Date }[]> {
  return db
    .select({ id: keys.id, createdAt: keys.createdAt })
    .from(keys)
    .where(and(ofOwner(tenantId, owner, purpose), isNull(keys.retiredAt)))
    .orderBy(keys.id)
}

/** Whether a tenant has encryption keys that open nothing any more. */
export async function hasEndedEncryptionKeys(db: Reader, tenantId: string, at: Date): Promise<boolean> {
  const ended = and(ofOwner(tenantId, tenantItself, 'encryption'), lte(keys.publishedUntil, at))
  return (await db.$count(keys, ended)) > 0
}

export async function findPublicKey(db: Reader, tenantId: string, owner: KeyOwner, purpose: KeyPurpose, id: string) {
  const [row] = await db
    .select({ publicJwk: keys.publicJwk })
    .from(keys)
    .where(and(ofOwner(tenantId, owner, purpose), eq(keys.id, id)))
  return row?.publicJwk
}

/** The public halves for which wallets are to encrypt: those of keys that are not retired. */
export async function findEncryptionKeys(db: Reader, tenantId: string): Promise<PublicKeyRow[]> {
  return db
    .select({ id: keys.id, algorithm: keys.algorithm, publicJwk: keys.publicJwk })
    .from(keys)
    .where(and(ofOwner(tenantId, tenantItself, 'encryption'), isNull(keys.retiredAt)))
    .orderBy(desc(keys.createdAt), keys.id)
}

/** When an owner's keys for a purpose were made and are over, whatever their state. */
export async function findKeyTimes(db: Reader, tenantId: string, owner: KeyOwner, purpose: KeyPurpose) {
  return db
    .select({ createdAt: keys.createdAt, retiredAt: keys.retiredAt, publishedUntil: keys.publishedUntil })
    .from(keys)
    .where(and(ofOwner(tenantId, owner, purpose)))
}

/** A key for which somebody may have encrypted. Read by the signing process, which alone can open it. */
export async function findOpeningKey(db: Reader, tenantId: string, id: string, at: Date): Promise<KeyRow | undefined> {
  const [row] = await db
    .select()
    .from(keys)
    .where(
      and(
        ofOwner(tenantId, tenantItself, 'encryption'),
        eq(keys.id, id),
        or(isNull(keys.retiredAt), gt(keys.publishedUntil, at)),
      ),
    )
  return row
}

/** Removes encryption keys that open nothing any more, and returns their ids: what was recorded on its way stays closed for good. */
export async function deleteEndedEncryptionKeys(tx: Writer, tenantId: string, at: Date): Promise<string[]> {
  const rows = await tx
    .delete(keys)
    .where(and(ofOwner(tenantId, tenantItself, 'encryption'), lte(keys.publishedUntil, at)))
    .returning({ id: keys.id })
  return rows.map(({ id }) => id)
}

/**
 * Stops an owner's keys for a purpose from signing; they stay published until the time given, and those of a DID for longer
 * where their rows say so.
 */
export async function retireKeys(
  tx: Writer,
  tenantId: string,
  owner: KeyOwner,
  purpose: KeyPurpose,
  at: Date,
  publishedUntil: Date,
): Promise<void> {
  const current = and(ofOwner(tenantId, owner, purpose), isNull(keys.retiredAt))
  const isShorter = purpose === 'did' ? lt(keys.publishedUntil, publishedUntil) : undefined
  await tx.update(keys).set({ publishedUntil }).where(and(current, isShorter))
  await tx.update(keys).set({ retiredAt: at }).where(current)
}

/**
 * For a database that was set back to an earlier moment: what keys of DIDs signed since then, and until when it is valid, nobody
 * knows, so that they stay published for good.
 */
export async function keepAllPublished(tx: Writer): Promise<void> {
  await tx
    .update(keys)
    .set({ publishedUntil: null })
    .where(and(eq(keys.ownerKind, 'tenant'), eq(keys.purpose, 'did')))
}

/** Keeps a key published until then at least; null for good. */
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

/** Removes an owner's keys for a purpose; nothing is signed with them any more. */
export async function deleteKeys(tx: Writer, tenantId: string, owner: KeyOwner, purpose: KeyPurpose): Promise<void> {
  await tx.delete(keys).where(ofOwner(tenantId, owner, purpose))
}
