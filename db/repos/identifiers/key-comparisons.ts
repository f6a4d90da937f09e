import { and, asc, eq, gt, inArray, isNotNull } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { keyComparisons } from '../../tables/identifiers/key-comparisons.ts'
import { keys } from '../../tables/identifiers/keys.ts'
import { tenants } from '../../tables/tenancy/tenants.ts'

export type KeyComparison = typeof keyComparisons.$inferSelect

/** Returns keys of all tenants that are in a provider, after an id, in the order of their ids. */
export async function findKeysInProvider(
  db: Reader,
  provider: string,
  { after, limit }: { after: string; limit: number },
) {
  return db
    .select({ id: keys.id, tenantId: keys.tenantId, handle: keys.handle })
    .from(keys)
    .where(
      // Keys of other providers than software, by the index.
      and(eq(keys.wrappedUnder, ''), gt(keys.id, after), eq(keys.provider, provider), isNotNull(keys.handle)),
    )
    .orderBy(asc(keys.id))
    .limit(limit)
}

/** Returns which of these ids are tenants of this database. */
export async function findTenantsAmong(db: Reader, ids: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .select({ id: tenants.id })
    .from(tenants)
    .where(inArray(tenants.id, [...ids]))
  return new Set(rows.map(({ id }) => id))
}

/** Returns the last comparison with each provider. */
export async function listKeyComparisons(db: Reader): Promise<KeyComparison[]> {
  return db.select().from(keyComparisons).orderBy(asc(keyComparisons.provider))
}

export async function findKeyComparison(db: Reader, provider: string): Promise<KeyComparison | undefined> {
  const [row] = await db.select().from(keyComparisons).where(eq(keyComparisons.provider, provider))
  return row
}

export async function storeKeyComparison(tx: Writer, row: KeyComparison): Promise<void> {
  await tx.insert(keyComparisons).values(row).onConflictDoUpdate({ target: keyComparisons.provider, set: row })
}
