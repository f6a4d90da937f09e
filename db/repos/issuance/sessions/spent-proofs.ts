import { and, eq, inArray } from 'drizzle-orm'
import type { Reader, Writer } from '../../../client.ts'
import { paramOf, prepared, preparedInsert } from '../../../engine/prepared.ts'
import { spentProofs } from '../../../tables/issuance/spent-proofs.ts'

const spend = prepared('spend_proof', (tx) =>
  tx
    .insert(spentProofs)
    .values({
      tenantId: paramOf(spentProofs.tenantId, 'tenantId'),
      hash: paramOf(spentProofs.hash, 'hash'),
      expiresAt: paramOf(spentProofs.expiresAt, 'expiresAt'),
    })
    .onConflictDoNothing()
    .returning({ hash: spentProofs.hash }),
)

/**
 * Spends nonces or proof ids. Returns false if one was spent before. The caller then rolls back, which releases the
 * others.
 */
export async function spendProofs(
  tx: Writer,
  tenantId: string,
  uses: { hash: string; expiresAt: Date }[],
): Promise<boolean> {
  for (const use of uses) {
    const rows = await spend(tx, { tenantId, ...use })
    if (rows.length === 0) return false
  }
  return true
}

const insertRows = preparedInsert('insert_spent_proofs', spentProofs)

export type SpentProofRow = typeof spentProofs.$inferSelect

/** Spends them with the transaction. A unique violation fails the transaction if one was spent before. */
export async function insertSpentProofs(
  tx: Writer,
  tenantId: string,
  uses: Omit<SpentProofRow, 'tenantId'>[],
): Promise<void> {
  await insertRows(
    tx,
    uses.map((use) => ({ tenantId, ...use })),
  )
}

/** Returns the uses of those hashes that were spent. */
export async function findUsesBefore(
  db: Reader,
  tenantId: string,
  hashes: string[],
): Promise<Pick<SpentProofRow, 'usedFor' | 'requestHash'>[]> {
  return db
    .select({ usedFor: spentProofs.usedFor, requestHash: spentProofs.requestHash })
    .from(spentProofs)
    .where(and(eq(spentProofs.tenantId, tenantId), inArray(spentProofs.hash, hashes)))
}
