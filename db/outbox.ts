import { and, asc, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import { plusMs } from '../shared/clock.ts'
import { newOrderedId } from '../shared/ids.ts'
import type { JobName, Payload } from '../shared/jobs/registry.ts'
import { tracing } from '../shared/tracing/tracing.ts'
import type { Database, Reader, Writer } from './client.ts'
import { oneOf } from './columns.ts'
import { paramOf, prepared, preparedInsert, preparedWrite } from './engine/prepared.ts'
import { chunksOf } from './repos/chunks.ts'
import { countUpTo } from './repos/count-up-to.ts'
import { outbox } from './tables/outbox.ts'

type Item<Name extends JobName> = Payload<Name> extends { items: (infer Each)[] } ? Each : Payload<Name>

export interface OutboxEntry<Name extends JobName> {
  /** The id of the job. While a row or a job with this id waits, the entry is ignored. */
  id?: string
  /** A job of several items is written as one entry per item. The relay combines them. */
  payload: Item<Name>
  priority?: number
}

export interface OutboxRow {
  id: string
  job: string
  payload: unknown
  priority: number
}

const insertRows = preparedInsert('insert_outbox', outbox, 'doNothing')

/** Adds jobs that run if and only if the transaction commits. Poke the bus afterwards. */
export async function addToOutbox<Name extends JobName>(
  tx: Writer,
  job: Name,
  entries: OutboxEntry<Name>[],
  at: Date,
): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map(({ id = newOrderedId(at), payload, priority = 0 }) => ({
    id,
    job,
    payload: tracing ? tracing.carry(payload) : payload,
    priority,
    createdAt: at,
    takenUntil: at,
  }))
  await insertRows(tx, rows)
}

/** When a row is queued again: its relay died, or its job was lost (for a job that is `keptUntilDone`). */
const takenForMs = 20_000

const take = prepared('take_outbox', (tx) => {
  const due = tx
    .select({ id: outbox.id })
    .from(outbox)
    .where(lte(outbox.takenUntil, paramOf(outbox.takenUntil, 'at')))
    .orderBy(asc(outbox.takenUntil), asc(outbox.createdAt))
    .limit(sql.placeholder('limit'))
  return tx
    .update(outbox)
    .set({ takenUntil: paramOf(outbox.takenUntil, 'until') })
    .where(and(inArray(outbox.id, due), lte(outbox.takenUntil, paramOf(outbox.takenUntil, 'at'))))
    .returning({ id: outbox.id, job: outbox.job, payload: outbox.payload, priority: outbox.priority })
})

/** Takes the oldest rows for 20 s. Other relays skip them during this time. */
export async function takeFromOutbox(db: Database, limit: number, at: Date): Promise<OutboxRow[]> {
  if (!(await hasOutbox(db, at))) return []
  return db.tx((tx) => take(tx, { at, until: plusMs(at, takenForMs), limit }))
}

/** Makes taken rows due again that could not be queued. */
export async function returnToOutbox(tx: Writer, ids: string[], at: Date): Promise<void> {
  for (const some of chunksOf(ids)) await tx.update(outbox).set({ takenUntil: at }).where(inArray(outbox.id, some))
}

/** Later than any time until which a relay takes rows, even if clocks differ by a minute. */
const maxTakenMs = takenForMs + 60_000

/**
 * Makes rows due that a process with a clock far ahead wrote or took. Without this, their jobs wait until the clock reaches this time.
 * Returns their number.
 */
export async function freeFutureRows(tx: Writer, at: Date, limit: number): Promise<number> {
  const isFuture = gt(outbox.takenUntil, plusMs(at, maxTakenMs))
  const futureIds = tx
    .select({ id: outbox.id })
    .from(outbox)
    .where(isFuture)
    .orderBy(asc(outbox.takenUntil))
    .limit(limit)
  const freed = await tx
    .update(outbox)
    .set({ takenUntil: at })
    .where(and(inArray(outbox.id, futureIds), isFuture))
    .returning({ id: outbox.id })
  return freed.length
}

const due = prepared('due_outbox', (db) =>
  db
    .select({ id: outbox.id })
    .from(outbox)
    .where(lte(outbox.takenUntil, paramOf(outbox.takenUntil, 'at')))
    .limit(1),
)

/** Checked first, so that polling an empty outbox takes no write lock. */
async function hasOutbox(db: Database, at: Date): Promise<boolean> {
  return (await due(db.read, { at })).length > 0
}

export async function isInOutbox(db: Reader, id: string): Promise<boolean> {
  return (await db.select({ id: outbox.id }).from(outbox).where(eq(outbox.id, id))).length > 0
}

/** A higher count has no use. */
const maxCounted = 100_000

export interface OutboxBacklog {
  /** Rows that are due, at most 100,000. */
  waiting: number
  /** Rows that a relay has taken, at most 100,000. */
  taken: number
  /** Since when the oldest due row waits. */
  waitsSince: Date | undefined
}

/** Counts the rows of the outbox. Reads only index entries, at most 100,000 of each kind. */
export async function findOutboxBacklog(db: Reader, at: Date): Promise<OutboxBacklog> {
  const { takenUntil } = outbox
  const [first] = await db
    .select({ takenUntil })
    .from(outbox)
    .where(lte(takenUntil, at))
    .orderBy(asc(takenUntil))
    .limit(1)
  return {
    waiting: await countUpTo(db, outbox, lte(takenUntil, at), maxCounted),
    taken: await countUpTo(db, outbox, gt(takenUntil, at), maxCounted),
    waitsSince: first?.takenUntil,
  }
}

const remove = preparedWrite('remove_outbox', (tx) => tx.delete(outbox).where(oneOf(outbox.id, 'ids')))

/** Removes rows that are queued, or whose jobs are done if the jobs are `keptUntilDone`. */
export async function removeFromOutbox(tx: Writer, ids: string[]): Promise<void> {
  await remove(tx, { ids })
}
