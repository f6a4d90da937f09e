import type { Writer } from '../../client.ts'
import { notifications } from '../../tables/issuance/notifications.ts'

/** What is said twice is kept once. */
export async function insertNotification(tx: Writer, row: typeof notifications.$inferSelect): Promise<void> {
  await tx.insert(notifications).values(row).onConflictDoNothing()
}
