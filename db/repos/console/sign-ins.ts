import { and, eq, gt } from 'drizzle-orm'
import type { Reader, Writer } from '../../client.ts'
import { inRow } from '../../columns.ts'
import { consoleSignIns } from '../../tables/console/sign-ins.ts'

export type ConsoleSignInRow = typeof consoleSignIns.$inferSelect

export async function insertConsoleSignIn(tx: Writer, row: ConsoleSignInRow): Promise<void> {
  await tx.insert(consoleSignIns).values(row)
}

type Sought = Pick<ConsoleSignInRow, 'id' | 'stateHash' | 'browserHash'>

/** Returns whether `takeConsoleSignIn` would find a sign-in. */
export async function hasConsoleSignIn(db: Reader, tenantId: string, sought: Sought, at: Date): Promise<boolean> {
  return (await db.$count(consoleSignIns, matches(tenantId, sought, at))) > 0
}

/** Takes a sign-in that is not expired, for the browser that started it. Returns undefined if it was already taken. */
export async function takeConsoleSignIn(
  tx: Writer,
  tenantId: string,
  sought: Sought,
  at: Date,
): Promise<ConsoleSignInRow | undefined> {
  const [taken] = await tx
    .delete(consoleSignIns)
    .where(matches(tenantId, sought, at))
    .returning()
  return taken
}

function matches(tenantId: string, { id, stateHash, browserHash }: Sought, at: Date) {
  const isOf = and(eq(consoleSignIns.stateHash, stateHash), eq(consoleSignIns.browserHash, browserHash))
  return and(
    inRow(consoleSignIns.tenantId, tenantId),
    eq(consoleSignIns.id, id),
    isOf,
    gt(consoleSignIns.expiresAt, at),
  )
}
