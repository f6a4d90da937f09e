import { and, asc, eq, gt, isNull } from 'drizzle-orm'
import { softwareProvider } from '../../../shared/domain/identifiers/key-policy.ts'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { keys } from '../../tables/identifiers/keys.ts'
import { countUpTo } from '../count-up-to.ts'
import type { KeyRow } from './keys.ts'

/**
 * Returns keys of all tenants after the id `after` that this key-encryption key wraps. Null selects rows without its
 * name.
 */
export async function findWrapped(db: Reader, name: string | null, after: string, limit: number): Promise<KeyRow[]> {
  return db
    .select()
    .from(keys)
    .where(and(name === null ? isNull(keys.wrappedUnder) : eq(keys.wrappedUnder, name), gt(keys.id, after)))
    .orderBy(asc(keys.id))
    .limit(limit)
}

/** Returns one key for each key-encryption key in use, and one key without a name. Reads one index entry for each. */
export async function findOneOfEachWrapping(db: Reader): Promise<KeyRow[]> {
  const names = await findWrapped(db, null, '', 1)
  for (let name = ''; ; ) {
    const [row] = await db
      .select()
      .from(keys)
      .where(gt(keys.wrappedUnder, name))
      .orderBy(asc(keys.wrappedUnder), asc(keys.id))
      .limit(1)
    if (!row?.wrappedUnder) return names
    names.push(row)
    name = row.wrappedUnder
  }
}

/** Replaces the wrapping of a private key, unless the wrapping has changed since it was read. */
export async function replaceWrapping(
  tx: Writer,
  tenantId: string,
  { id, wrappedPrivateKey }: Pick<KeyRow, 'id' | 'wrappedPrivateKey'>,
  wrapping: Pick<KeyRow, 'wrappedPrivateKey' | 'wrappedUnder'>,
): Promise<void> {
  await tx
    .update(keys)
    .set(wrapping)
    .where(and(inRow(keys.tenantId, tenantId), eq(keys.id, id), eq(keys.wrappedPrivateKey, wrappedPrivateKey)))
}

/** Moves a wrapped key to another provider that has its private part. Returns false if the key is not wrapped any more. */
export async function moveToProvider(
  tx: Writer,
  tenantId: string,
  id: string,
  { provider, handle }: { provider: string; handle: string },
): Promise<boolean> {
  const moved = await tx
    .update(keys)
    .set({ provider, handle, wrappedPrivateKey: Buffer.alloc(0), wrappedUnder: '' })
    .where(and(inRow(keys.tenantId, tenantId), eq(keys.id, id), eq(keys.provider, softwareProvider)))
    .returning({ id: keys.id })
  return moved.length === 1
}

/** A higher count has no use. */
const maxCounted = 100_000

/**
 * Counts how many keys of the service each key-encryption key wraps, at most 100,000. The name is null for rows without
 * one.
 */
export async function countWrapped(db: Reader): Promise<{ name: string | null; count: number }[]> {
  const one = await findOneOfEachWrapping(db)
  const counts: { name: string | null; count: number }[] = []
  for (const { wrappedUnder: name } of one) {
    const isUnder = name === null ? isNull(keys.wrappedUnder) : eq(keys.wrappedUnder, name)
    counts.push({ name, count: await countUpTo(db, keys, isUnder, maxCounted) })
  }
  return counts
}
