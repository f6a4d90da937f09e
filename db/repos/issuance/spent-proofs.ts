import type { Writer } from '../../client.ts'
import { paramOf, prepared, preparedInsert } from '../../prepared.ts'
import { spentProofs } from '../../tables/issuance/spent-proofs.ts'

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

/** Uses up nonces or proof ids: false when one was used before, and the caller rolls back, which gives back the others. */
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

/** Uses them up with all else that the transaction does, or fails it with a unique violation when one was used before. */
export async function insertSpentProofs(
  tx: Writer,
  tenantId: string,
  uses: { hash: string; expiresAt: Date }[],
): Promise<void> {
  await insertRows(
    tx,
    uses.map((use) => ({ tenantId, usedFor: null, requestHash: null, ...use })),
  )
}
