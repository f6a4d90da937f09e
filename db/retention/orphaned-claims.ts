import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import type { Database } from '../client.ts'
import { sessionClaims } from '../tables/issuance/session-claims.ts'
import { sessions } from '../tables/issuance/sessions.ts'
import { removeDependents } from './removal.ts'
import { readWalk, restartWalk, saveWalk } from './walks.ts'

const pageSize = 1_000

/**
 * Removes the claims of sessions that no longer exist, among the next 1,000 rows of the table. Returns the number of
 * these sessions. The next call continues from there and starts again after the last row. Earlier versions left the
 * claims of revoked tokens. Such a version can still run during an update.
 */
export async function purgeOrphanedClaims(db: Database, at: Date, size = pageSize): Promise<number> {
  const { tenantId, sessionId, configurationId } = sessionClaims
  const walk = await readWalk(db.read, 'session_claims', at)
  const [tenant = '', session = '', configuration = ''] = walk.cursor.split(' ')
  const page = await db.read
    .select({ tenantId, sessionId, configurationId, isOrphan: isNull(sessions.id).mapWith(Boolean) })
    .from(sessionClaims)
    .leftJoin(sessions, and(eq(sessions.tenantId, tenantId), eq(sessions.id, sessionId)))
    .where(sql`(${tenantId}, ${sessionId}, ${configurationId}) > (${tenant}, ${session}, ${configuration})`)
    .orderBy(asc(tenantId), asc(sessionId), asc(configurationId))
    .limit(size)
  const last = page.length === size ? page.at(-1) : undefined
  if (page.length === 0 && !walk.cursor) return 0
  const orphans = Map.groupBy(
    page.filter(({ isOrphan }) => isOrphan),
    (row) => row.tenantId,
  )
  const cursor = last && [last.tenantId, last.sessionId, last.configurationId].join(' ')
  let count = 0
  await db.tx(async (tx) => {
    count = 0
    for (const [ofTenant, rows] of orphans) {
      const ids = new Set(rows.map((row) => row.sessionId))
      await removeDependents(tx, sessions, ofTenant, [...ids])
      count += ids.size
    }
    await saveWalk(tx, cursor ? { ...walk, cursor } : restartWalk(walk))
  })
  return count
}
