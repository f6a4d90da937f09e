import { and, eq, inArray } from 'drizzle-orm'
import type { Reader, Writer } from '../../../client.ts'
import { param, paramOf, prepared, preparedByIds, preparedInsert } from '../../../engine/prepared.ts'
import { spentProofs } from '../../../tables/issuance/spent-proofs.ts'

const spend = prepared('spend_proof', (tx) =>
  tx
    .insert(spentProofs)
    .values({
      tenantId: paramOf(spentProofs.tenantId, 'tenantId'),
      hash: paramOf(spentProofs.hash, 'hash'),
      usedFor: paramOf(spentProofs.usedFor, 'usedFor'),
      requestHash: paramOf(spentProofs.requestHash, 'requestHash'),
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
    const rows = await spend(tx, { tenantId, ...use, usedFor: null, requestHash: null })
    if (rows.length === 0) return false
  }
  return true
}

const insertRows = preparedInsert('insert_spent_proofs', spentProofs)

/** A single-use value, with the issuance and the request that spend it. */
export type ProofUse = Omit<typeof spentProofs.$inferSelect, 'tenantId'>

/** Spends them with the transaction. A unique violation fails the transaction if one was spent before. */
export async function insertSpentProofs(tx: Writer, tenantId: string, uses: ProofUse[]): Promise<void> {
  await insertRows(
    tx,
    uses.map((use) => ({ tenantId, ...use })),
  )
}

/**
 * Spends all values of a request or none, and the transaction goes on. Returns false if one was spent before. The rows
 * have the order of their hashes, so that two transactions wait for each other in the same order.
 */
export async function spendTogether(tx: Writer, tenantId: string, uses: ProofUse[]): Promise<boolean> {
  const spent: string[] = []
  for (const use of uses.toSorted(byHash)) {
    const rows = await spend(tx, { tenantId, ...use })
    if (rows.length === 1) spent.push(use.hash)
  }
  if (spent.length === uses.length) return true
  await releaseProofs(tx, tenantId, spent)
  return false
}

/** Makes values usable again that this transaction spent. */
async function releaseProofs(tx: Writer, tenantId: string, hashes: string[]): Promise<void> {
  if (hashes.length === 0) return
  await tx.delete(spentProofs).where(and(eq(spentProofs.tenantId, tenantId), inArray(spentProofs.hash, hashes)))
}

export function byHash(left: { hash: string }, right: { hash: string }): number {
  return left.hash < right.hash ? -1 : left.hash > right.hash ? 1 : 0
}

const spentByHash = preparedByIds('spent_hashes', (db, hashes) =>
  db
    .select({ hash: spentProofs.hash })
    .from(spentProofs)
    .where(and(eq(spentProofs.tenantId, param('tenantId')), inArray(spentProofs.hash, hashes))),
)

/** Returns those hashes that were spent. */
export async function findSpentHashes(db: Reader, tenantId: string, hashes: string[]): Promise<Set<string>> {
  const rows = await spentByHash(db, hashes, { tenantId })
  return new Set(rows.map(({ hash }) => hash))
}

/** Returns the uses of those hashes that were spent. */
export async function findUsesBefore(
  db: Reader,
  tenantId: string,
  hashes: string[],
): Promise<Pick<ProofUse, 'usedFor' | 'requestHash'>[]> {
  return db
    .select({ usedFor: spentProofs.usedFor, requestHash: spentProofs.requestHash })
    .from(spentProofs)
    .where(and(eq(spentProofs.tenantId, tenantId), inArray(spentProofs.hash, hashes)))
}
