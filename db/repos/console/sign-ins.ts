import { and, eq, gt } from 'drizzle-orm'
import type { Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { consoleSignIns } from '../../tables/console/sign-ins.ts'

export type ConsoleSignInRow = typeof consoleSignIns.$inferSelect

export async function insertConsoleSignIn(tx: Writer, row: ConsoleSignInRow): Promise<void> {
  await tx.insert(consoleSignIns).values(row)
}

/** Takes a sign-in that is not expired, for the browser that started it. Returns undefined if it was already taken. */
export async function takeConsoleSignIn(
  tx: Writer,
  tenantId: string,
  { id, stateHash, browserHash }: Pick<ConsoleSignInRow, 'id' | 'stateHash' | 'browserHash'>,
  at: Date,
): Promise<ConsoleSignInRow | undefined> {
  const isOf = and(eq(consoleSignIns.stateHash, stateHash), eq(consoleSignIns.browserHash, browserHash))
  const [taken] = await tx
    .delete(consoleSignIns)
    .where(
      and(inRow(consoleSignIns.tenantId, tenantId), eq(consoleSignIns.id, id), isOf, gt(consoleSignIns.expiresAt, at)),
    )
    .returning()
  return taken
}
