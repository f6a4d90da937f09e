import { and, eq, isNull } from 'drizzle-orm'
import type { Reader, Writer } from '../../../client.ts'
import { inRow } from '../../../columns.ts'
import { findRow } from '../../../find-row.ts'
import { refreshTokens } from '../../../tables/issuance/refresh-tokens.ts'

export type RefreshTokenRow = typeof refreshTokens.$inferSelect

export async function insertRefreshToken(tx: Writer, row: RefreshTokenRow): Promise<void> {
  await tx.insert(refreshTokens).values(row)
}

export function findRefreshToken(db: Reader, tenantId: string, id: string): Promise<RefreshTokenRow | undefined> {
  return findRow(db, refreshTokens, tenantId, id)
}

/** Extends the validity of a refresh token. Returns false if it does not exist anymore, or was rotated. */
export async function extendRefreshToken(tx: Writer, tenantId: string, id: string, until: Date): Promise<boolean> {
  const rows = await tx
    .update(refreshTokens)
    .set({ expiresAt: until })
    .where(and(inRow(refreshTokens.tenantId, tenantId), eq(refreshTokens.id, id), isNull(refreshTokens.spentAt)))
    .returning({ id: refreshTokens.id })
  return rows.length === 1
}
