import type { Writer } from '../../client.ts'
import { notifications } from '../../tables/issuance/notifications.ts'

/** Inserts a notification. Ignores one that exists already. */
export async function insertNotification(tx: Writer, row: typeof notifications.$inferSelect): Promise<void> {
  await tx.insert(notifications).values(row).onConflictDoNothing()
}
