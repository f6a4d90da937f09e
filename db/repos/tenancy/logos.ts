import { and, asc, eq } from 'drizzle-orm'
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
 * Stores a logo. If the tenant has `most` logos, deletes the oldest that is not in use. Returns false if all are in use. A logo that is
 * uploaded again becomes the newest. The caller holds the tenant.
 */
export async function storeLogo(
  tx: Writer,
  row: LogoRow,
  most: number,
  findUsed: () => Promise<ReadonlySet<string>>,
): Promise<boolean> {
  const { tenantId, createdAt } = row
  const stored = await tx
    .select({ id: logos.id })
    .from(logos)
    .where(eq(logos.tenantId, tenantId))
    .orderBy(asc(logos.createdAt), asc(logos.id))
    .limit(most)
  if (stored.length === most && !stored.some(({ id }) => id === row.id)) {
    const used = await findUsed()
    const oldest = stored.find(({ id }) => !used.has(id))
    if (!oldest) return false
    await tx.delete(logos).where(and(eq(logos.tenantId, tenantId), eq(logos.id, oldest.id)))
  }
  await tx
    .insert(logos)
    .values(row)
    .onConflictDoUpdate({ target: [logos.tenantId, logos.id], set: { createdAt } })
  return true
}
