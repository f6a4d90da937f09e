import { eq } from 'drizzle-orm'
import type { Reader, Writer } from '../client.ts'
import { walks } from '../tables/operations/walks.ts'

export type Walk = typeof walks.$inferSelect

/** Returns the progress of a walk. A walk without a cursor starts at the time `at`. */
export async function readWalk(db: Reader, id: string, at: Date): Promise<Walk> {
  const [row] = await db.select().from(walks).where(eq(walks.id, id))
  return row?.cursor ? row : { id, cursor: '', startedAt: at, hasLeft: false, clearedAt: row?.clearedAt ?? null }
}

/** Stores the progress of a walk. */
export async function saveWalk(tx: Writer, { id, ...walk }: Walk): Promise<void> {
  await tx
    .insert(walks)
    .values({ id, ...walk })
    .onConflictDoUpdate({ target: walks.id, set: walk })
}

/** Restarts a completed walk. */
export function restartWalk(walk: Walk): Walk {
  return { ...walk, cursor: '', clearedAt: walk.hasLeft ? walk.clearedAt : walk.startedAt }
}
