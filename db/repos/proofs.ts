import type { Writer } from '../client.ts'
import { spentProofs } from '../tables/issuances.ts'

/** Uses up nonces or proof ids, all or none in effect: false when one was used before, and the caller rolls back. */
export async function spendProofs(
  tx: Writer,
  tenantId: string,
  uses: { hash: string; expiresAt: Date }[],
): Promise<boolean> {
  const rows = await tx
    .insert(spentProofs)
    .values(uses.map((use) => ({ tenantId, ...use })))
    .onConflictDoNothing()
    .returning({ hash: spentProofs.hash })
  return rows.length === uses.length
}
