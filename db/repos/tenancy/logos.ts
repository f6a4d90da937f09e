import { and, desc, eq, inArray } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { logos } from '../../tables/tenancy/logos.ts'

export type LogoRow = typeof logos.$inferSelect

export async function findUploadedLogo(db: Reader, tenantId: string, id: string): Promise<LogoRow | undefined> {
  const [row] = await db
    .select()
    .from(logos)
    .where(and(eq(logos.tenantId, tenantId), eq(logos.id, id)))
  return row
}

/**
 * Stores a logo, and deletes the oldest logos of the tenant beyond `most`, except `used`. The caller holds the tenant. A logo that is
 * uploaded again becomes the newest.
 */
export async function storeLogo(tx: Writer, row: LogoRow, most: number, used: string | undefined): Promise<void> {
  const { tenantId, createdAt } = row
  await tx
    .insert(logos)
    .values(row)
    .onConflictDoUpdate({ target: [logos.tenantId, logos.id], set: { createdAt } })
  const stored = await tx
    .select({ id: logos.id })
    .from(logos)
    .where(eq(logos.tenantId, tenantId))
    .orderBy(desc(logos.createdAt))
    .limit(most + 2)
  const old = stored.slice(most).flatMap(({ id }) => (id === used || id === row.id ? [] : id))
  if (old.length > 0) await tx.delete(logos).where(and(eq(logos.tenantId, tenantId), inArray(logos.id, old)))
}
