import { and, eq, gt } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { findRow } from '../../find-row.ts'
import { consoleProgramCodes } from '../../tables/console/program-codes.ts'

export type ConsoleProgramCodeRow = typeof consoleProgramCodes.$inferSelect

export async function insertConsoleProgramCode(tx: Writer, row: ConsoleProgramCodeRow): Promise<void> {
  await tx.insert(consoleProgramCodes).values(row)
}

/** Returns a code, also an expired one. */
export function findConsoleProgramCode(
  db: Reader,
  tenantId: string,
  id: string,
): Promise<ConsoleProgramCodeRow | undefined> {
  return findRow(db, consoleProgramCodes, tenantId, id)
}

/** Spends a code that is not expired. Returns false if it was already spent. */
export async function spendConsoleProgramCode(tx: Writer, tenantId: string, id: string, at: Date): Promise<boolean> {
  const spent = await tx
    .delete(consoleProgramCodes)
    .where(and(byId(tenantId, id), gt(consoleProgramCodes.expiresAt, at)))
    .returning({ id: consoleProgramCodes.id })
  return spent.length === 1
}

function byId(tenantId: string, id: string) {
  return and(inRow(consoleProgramCodes.tenantId, tenantId), eq(consoleProgramCodes.id, id))
}
