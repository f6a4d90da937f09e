import { and, asc, eq, inArray, isNotNull, isNull, lte, or, type SQL } from 'drizzle-orm'
import type { Database, Reader, Writer } from '../../client.ts'
import { addToOutbox } from '../../outbox.ts'
import { certificates } from '../../tables/certificates/certificates.ts'
import { keys } from '../../tables/identifiers/keys.ts'
import { accessCertificates } from '../../tables/issuance/access-certificates.ts'

type ProviderKey = Pick<typeof keys.$inferSelect, 'id' | 'tenantId' | 'provider' | 'handle'>

/** Queues the destruction of private keys that are in another provider than software, if and only if the transaction commits. */
export async function destroyInProviders(tx: Writer, rows: readonly ProviderKey[], at: Date): Promise<void> {
  const entries = rows.flatMap(({ id: keyId, tenantId, provider, handle }) =>
    handle === null ? [] : [{ id: `destroy-${keyId}`, payload: { tenantId, keyId, provider, handle } }],
  )
  await addToOutbox(tx, 'destroyKey', entries, at)
}

/** The columns of a key that a destruction needs. */
const destroyed = { id: keys.id, tenantId: keys.tenantId, provider: keys.provider, handle: keys.handle }

/** Deletes keys of a deleted tenant that are in another provider, and queues their destruction. Returns their number, at most `limit`. */
export async function deleteProviderKeys(tx: Writer, tenantId: string, at: Date, limit: number): Promise<number> {
  const rows = await tx
    .select(destroyed)
    .from(keys)
    .where(and(eq(keys.tenantId, tenantId), isNotNull(keys.handle)))
    .limit(limit)
  const ids = rows.map((row) => row.id)
  if (ids.length > 0) await tx.delete(keys).where(and(eq(keys.tenantId, tenantId), inArray(keys.id, ids)))
  await destroyInProviders(tx, rows, at)
  return rows.length
}

/** Returns keys of a tenant that are in another provider, in the order of their ids. */
export async function findProviderKeys(db: Reader, tenantId: string, limit: number) {
  return db
    .select({ id: keys.id, purpose: keys.purpose, provider: keys.provider })
    .from(keys)
    .where(and(eq(keys.tenantId, tenantId), isNotNull(keys.handle)))
    .orderBy(asc(keys.id))
    .limit(limit)
}

/** The keys of one transaction. */
const maxRows = 200

/**
 * Queues the destruction of keys that sign and were retired before a time. Their rows keep the public key. An agreement key stays, because
 * messages to it can be in inboxes. Returns how many there were, at most 200.
 */
export async function destroyRetiredKeys(db: Pick<Database, 'tx'>, before: Date, at: Date): Promise<number> {
  return db.tx(async (tx) => {
    const isRetired = and(inArray(keys.algorithm, ['ES256', 'Ed25519']), lte(keys.retiredAt, before))
    const rows = await tx.select(destroyed).from(keys).where(inOtherProvider(isRetired)).limit(maxRows)
    return giveUp(tx, rows, { handle: null }, at)
  })
}

/**
 * Retires the keys of certificates that ended, were revoked or were replaced before a time, and queues their destruction. No rule lets such a
 * certificate of this service sign again. An operator can upload another certificate for the key of an external authority's signer, so that
 * such a key stays. The rows keep the public key. Returns how many there were, at most 200.
 */
export async function destroyKeysOfEndedCertificates(
  db: Pick<Database, 'tx'>,
  before: Date,
  at: Date,
): Promise<number> {
  const { revokedAt, retiredAt, notAfter } = certificates
  const isEnded = or(lte(revokedAt, before), lte(retiredAt, before), lte(notAfter, before))
  return db.tx(async (tx) => {
    const rows = await tx
      .select(destroyed)
      .from(keys)
      .innerJoin(certificates, and(eq(certificates.tenantId, keys.tenantId), eq(certificates.id, keys.ownerId)))
      .where(
        inOtherProvider(
          and(eq(keys.ownerKind, 'certificate'), isNull(keys.retiredAt), eq(certificates.isManaged, true), isEnded),
        ),
      )
      .limit(maxRows)
    return giveUp(tx, rows, { handle: null, retiredAt: at }, at)
  })
}

/**
 * Retires the keys of access certificates that ended before a time, and queues their destruction. An inactive one that has not ended can
 * become active again, so that its key stays. The rows keep the public key. Returns how many there were, at most 200.
 */
export async function destroyKeysOfEndedAccessCertificates(
  db: Pick<Database, 'tx'>,
  before: Date,
  at: Date,
): Promise<number> {
  const { id, tenantId, notAfter } = accessCertificates
  return db.tx(async (tx) => {
    const isOfEnded = and(eq(keys.ownerKind, 'access-certificate'), isNull(keys.retiredAt), lte(notAfter, before))
    const rows = await tx
      .select(destroyed)
      .from(keys)
      .innerJoin(accessCertificates, and(eq(tenantId, keys.tenantId), eq(id, keys.ownerId)))
      .where(inOtherProvider(isOfEnded))
      .limit(maxRows)
    return giveUp(tx, rows, { handle: null, retiredAt: at }, at)
  })
}

/** Keys of other providers than software, by the index. */
function inOtherProvider(condition: SQL | undefined): SQL | undefined {
  return and(eq(keys.wrappedUnder, ''), isNotNull(keys.handle), condition)
}

async function giveUp(
  tx: Writer,
  rows: readonly ProviderKey[],
  change: { handle: null; retiredAt?: Date },
  at: Date,
): Promise<number> {
  const ids = rows.map((row) => row.id)
  if (ids.length > 0) await tx.update(keys).set(change).where(inArray(keys.id, ids))
  await destroyInProviders(tx, rows, at)
  return rows.length
}
