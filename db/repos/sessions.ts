import { and, eq } from 'drizzle-orm'
import type { Reader, Writer } from '../client.ts'
import { param, prepared, preparedInsert } from '../prepared.ts'
import { sessions } from '../tables/issuances.ts'

export type SessionRow = typeof sessions.$inferSelect

const insertRows = preparedInsert('insert_sessions', sessions)

export async function insertSession(tx: Writer, session: SessionRow): Promise<void> {
  await insertRows(tx, [session])
}

const byId = prepared('session_by_id', (db) =>
  db
    .select()
    .from(sessions)
    .where(and(eq(sessions.tenantId, param('tenantId')), eq(sessions.id, param('id')))),
)

export async function findSession(db: Reader, tenantId: string, id: string): Promise<SessionRow | undefined> {
  const [row] = await byId(db, { tenantId, id })
  return row
}
