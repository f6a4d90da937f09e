import { and, eq } from 'drizzle-orm'
import type { Reader, Writer } from '../client.ts'
import { sessions } from '../tables/issuances.ts'

export type SessionRow = typeof sessions.$inferSelect

export async function insertSession(tx: Writer, session: SessionRow): Promise<void> {
  await tx.insert(sessions).values(session)
}

export async function findSessionByToken(
  db: Reader,
  tenantId: string,
  tokenHash: string,
): Promise<SessionRow | undefined> {
  const [row] = await db
    .select()
    .from(sessions)
    .where(and(eq(sessions.tenantId, tenantId), eq(sessions.tokenHash, tokenHash)))
  return row
}
