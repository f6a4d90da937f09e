import { eq } from 'drizzle-orm'
import type { Reader, Writer } from '../client.ts'
import { walks } from '../tables/operations/walks.ts'

export type Walk = typeof walks.$inferSelect

/** Reads how far a walk has come. One at its beginning starts `at`. */
export async function readWalk(db: Reader, id: string, at: Date): Promise<Walk> {
  const [row] = await db.select().from(walks).where(eq(walks.id, id))
  return row?.cursor ? row : { id, cursor: '', startedAt: at, hasLeft: false, clearedAt: row?.clearedAt ?? null }
}

/** Writes down how far a walk has come. */
export async function saveWalk(tx: Writer, { id, ...walk }: Walk): Promise<void> {
  await tx
    .insert(walks)
    .values({ id, ...walk })
    .onConflictDoUpdate({ target: walks.id, set: walk })
}

/** Begins the walk again, which is done. */
export function restartWalk(walk: Walk): Walk {
  return { ...walk, cursor: '', clearedAt: walk.hasLeft ? walk.clearedAt : walk.startedAt }
}
