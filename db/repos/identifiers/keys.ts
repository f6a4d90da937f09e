import { and, desc, eq, gt, isNull, lte, or } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { type KeyPurpose, keys } from '../../tables/identifiers/keys.ts'

export type KeyRow = typeof keys.$inferSelect

export async function insertKeys(tx: Writer, rows: (typeof keys.$inferInsert)[]): Promise<void> {
  await tx.insert(keys).values(rows)
}

/** The keys of a purpose that sign now, newest first. Read by the signing process, which alone can open them. */
export async function findSigningKeys(db: Reader, tenantId: string, purpose: KeyPurpose): Promise<KeyRow[]> {
  return db
    .select()
    .from(keys)
    .where(and(eq(keys.tenantId, tenantId), eq(keys.purpose, purpose), isNull(keys.retiredAt)))
    .orderBy(desc(keys.createdAt))
}

export type PublicKeyRow = Pick<KeyRow, 'id' | 'algorithm' | 'publicJwk'>

/** The public halves that are published at a time: keys that sign, and retired ones whose signatures are still about. */
export async function findPublishedKeys(
  db: Reader,
  tenantId: string,
  purpose: KeyPurpose,
  at: Date,
): Promise<PublicKeyRow[]> {
  return db
    .select({ id: keys.id, algorithm: keys.algorithm, publicJwk: keys.publicJwk })
    .from(keys)
    .where(
      and(
        eq(keys.tenantId, tenantId),
        eq(keys.purpose, purpose),
        or(isNull(keys.retiredAt), gt(keys.publishedUntil, at)),
      ),
    )
    .orderBy(desc(keys.createdAt), keys.id)
}

export async function findPublicKey(db: Reader, tenantId: string, purpose: KeyPurpose, id: string) {
  const [row] = await db
    .select({ publicJwk: keys.publicJwk })
    .from(keys)
    .where(and(eq(keys.tenantId, tenantId), eq(keys.purpose, purpose), eq(keys.id, id)))
  return row?.publicJwk
}

/** The public halves for which wallets are to encrypt: those of keys that are not retired. */
export async function findEncryptionKeys(db: Reader, tenantId: string): Promise<PublicKeyRow[]> {
  return db
    .select({ id: keys.id, algorithm: keys.algorithm, publicJwk: keys.publicJwk })
    .from(keys)
    .where(and(eq(keys.tenantId, tenantId), eq(keys.purpose, 'encryption'), isNull(keys.retiredAt)))
    .orderBy(desc(keys.createdAt), keys.id)
}

/** When the keys of a purpose were made and are over, whatever their state. */
export async function findKeyTimes(db: Reader, tenantId: string, purpose: KeyPurpose) {
  return db
    .select({ createdAt: keys.createdAt, retiredAt: keys.retiredAt, publishedUntil: keys.publishedUntil })
    .from(keys)
    .where(and(eq(keys.tenantId, tenantId), eq(keys.purpose, purpose)))
}

/** A key for which somebody may have encrypted. Read by the signing process, which alone can open it. */
export async function findOpeningKey(db: Reader, tenantId: string, id: string, at: Date): Promise<KeyRow | undefined> {
  const [row] = await db
    .select()
    .from(keys)
    .where(
      and(
        eq(keys.tenantId, tenantId),
        eq(keys.purpose, 'encryption'),
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
    .where(and(eq(keys.tenantId, tenantId), eq(keys.purpose, 'encryption'), lte(keys.publishedUntil, at)))
    .returning({ id: keys.id })
  return rows.map(({ id }) => id)
}

/** Stops the keys of a purpose from signing; they stay published until the time given. */
export async function retireKeys(
  tx: Writer,
  tenantId: string,
  purpose: KeyPurpose,
  at: Date,
  publishedUntil: Date,
): Promise<void> {
  await tx
    .update(keys)
    .set({ retiredAt: at, publishedUntil })
    .where(and(eq(keys.tenantId, tenantId), eq(keys.purpose, purpose), isNull(keys.retiredAt)))
}
