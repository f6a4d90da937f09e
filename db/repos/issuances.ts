import { inArray } from 'drizzle-orm'
import type { Writer } from '../client.ts'
import { issuances } from '../tables/issuances.ts'

export type IssuanceRow = typeof issuances.$inferSelect

export async function markDelivered(tx: Writer, ids: string[], at: Date): Promise<void> {
  await tx.update(issuances).set({ deliveredAt: at }).where(inArray(issuances.id, ids))
}
