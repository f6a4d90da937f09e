import { and, asc, eq, gt, isNull } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { keys } from '../../tables/identifiers/keys.ts'
import { countUpTo } from '../count-up-to.ts'
import type { KeyRow } from './keys.ts'

/** Keys of all tenants that are wrapped under a key-encryption key, or of which it is not told, behind `after` by their ids. */
export async function findWrapped(db: Reader, name: string | null, after: string, most: number): Promise<KeyRow[]> {
  return db
    .select()
    .from(keys)
    .where(and(name === null ? isNull(keys.wrappedUnder) : eq(keys.wrappedUnder, name), gt(keys.id, after)))
    .orderBy(asc(keys.id))
    .limit(most)
}

/** One key of each key-encryption key under which any is wrapped, and one of which it is not told; each is a look into the index. */
export async function findOneOfEachWrapping(db: Reader): Promise<KeyRow[]> {
  const found = await findWrapped(db, null, '', 1)
  for (let name = ''; ; ) {
    const [row] = await db
      .select()
      .from(keys)
      .where(gt(keys.wrappedUnder, name))
      .orderBy(asc(keys.wrappedUnder), asc(keys.id))
      .limit(1)
    if (!row?.wrappedUnder) return found
    found.push(row)
    name = row.wrappedUnder
  }
}

/** Stores a private key in another wrapping, unless somebody has changed the one that was read. */
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

/** Nobody needs to know of more. */
const mostCounted = 100_000

/** How many keys of the whole service each key-encryption key has wrapped, at most 100,000; null where rows do not tell. */
export async function countWrapped(db: Reader): Promise<{ name: string | null; count: number }[]> {
  const one = await findOneOfEachWrapping(db)
  const counts: { name: string | null; count: number }[] = []
  for (const { wrappedUnder: name } of one) {
    const isUnder = name === null ? isNull(keys.wrappedUnder) : eq(keys.wrappedUnder, name)
    counts.push({ name, count: await countUpTo(db, keys, isUnder, mostCounted) })
  }
  return counts
}
