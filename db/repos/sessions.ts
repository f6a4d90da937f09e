import { and, eq } from 'drizzle-orm'
import type { Reader, Writer } from '../client.ts'
import { param, prepared, preparedInsert } from '../prepared.ts'
import { sessions } from '../tables/issuances.ts'

export type SessionRow = typeof sessions.$inferSelect

const insertRows = preparedInsert('insert_sessions', sessions)

export async function insertSession(tx: Writer, session: SessionRow): Promise<void> {
  await insertRows(tx, [session])
}

const byToken = prepared('session_by_token', (db) =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.tenantId, param('tenantId')), eq(sessions.tokenHash, param('tokenHash')))),
)

export async function findSessionByToken(
  db: Reader,
  tenantId: string,
  tokenHash: string,
): Promise<SessionRow | undefined> {
  const [row] = await byToken(db, { tenantId, tokenHash })
  return row
}
