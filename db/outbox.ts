import { and, asc, inArray, lt } from 'drizzle-orm'
import { plusMs } from '../shared/clock.ts'
import { newId } from '../shared/ids.ts'
import type { JobName, Payload } from '../shared/jobs/registry.ts'
import type { Database, Writer } from './client.ts'
import { outbox } from './tables/outbox.ts'

type Item<Name extends JobName> = Payload<Name> extends { items: (infer Each)[] } ? Each : Payload<Name>

export interface OutboxEntry<Name extends JobName> {
  /** A job of several items is written item by item; the relay puts them together. */
  payload: Item<Name>
  priority?: number
}

export interface OutboxRow {
  id: string
  job: string
  payload: unknown
  priority: number
}

/** Makes a job certain: it is queued once the transaction is committed, and never if it is not. Poke the bus afterwards. */
export async function addToOutbox<Name extends JobName>(
  tx: Writer,
  job: Name,
  entries: OutboxEntry<Name>[],
  at: Date,
): Promise<void> {
  if (entries.length === 0) return
  await tx.insert(outbox).values(
    entries.map(({ payload, priority = 0 }) => ({
      id: newId(),
      job,
      payload,
      priority,
      createdAt: at,
      takenUntil: at,
    })),
  )
}

const takenForMs = 30_000

/** Takes the oldest rows for this relay; another gets them when this one has not removed them in 30 s. */
export async function takeFromOutbox(db: Database, most: number, at: Date): Promise<OutboxRow[]> {
  const due = await db.read
    .select({ id: outbox.id })
    .from(outbox)
    .where(lt(outbox.takenUntil, plusMs(at, 1)))
    .orderBy(asc(outbox.takenUntil), asc(outbox.createdAt))
    .limit(most)
  if (due.length === 0) return []
  const ids = due.map(({ id }) => id)
  return db.tx((tx) =>
    tx
      .update(outbox)
      .set({ takenUntil: plusMs(at, takenForMs) })
      .where(and(inArray(outbox.id, ids), lt(outbox.takenUntil, plusMs(at, 1))))
      .returning({ id: outbox.id, job: outbox.job, payload: outbox.payload, priority: outbox.priority }),
  )
}

/** The rows are on the queue. */
export async function removeFromOutbox(db: Database, ids: string[]): Promise<void> {
  await db.tx(async (tx) => {
    await tx.delete(outbox).where(inArray(outbox.id, ids))
  })
}
