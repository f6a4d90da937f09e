import { and, asc, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import { plusMs } from '../shared/clock.ts'
import { newOrderedId } from '../shared/ids.ts'
import type { JobName, Payload } from '../shared/jobs/registry.ts'
import type { Database, Reader, Writer } from './client.ts'
import { oneOf } from './columns.ts'
import { paramOf, prepared, preparedInsert, preparedWrite } from './engine/prepared.ts'
import { countUpTo } from './repos/count-up-to.ts'
import { outbox } from './tables/outbox.ts'

type Item<Name extends JobName> = Payload<Name> extends { items: (infer Each)[] } ? Each : Payload<Name>

export interface OutboxEntry<Name extends JobName> {
  /** The job's id; while a row or a job of this id waits, another one adds nothing. */
  id?: string
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

const insertRows = preparedInsert('insert_outbox', outbox, 'doNothing')

/** Makes a job certain: it is queued once the transaction is committed, and never if it is not. Poke the bus afterwards. */
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
    payload,
    priority,
    createdAt: at,
    takenUntil: at,
  }))
  await insertRows(tx, rows)
}

/** When a row that is still there is queued again: its relay died, or its job, which is `keptUntilDone`, was lost. */
const takenForMs = 20_000

const take = prepared('take_outbox', (tx) => {
  const due = tx
    .select({ id: outbox.id })
    .from(outbox)
    .where(lte(outbox.takenUntil, paramOf(outbox.takenUntil, 'at')))
    .orderBy(asc(outbox.takenUntil), asc(outbox.createdAt))
    .limit(sql.placeholder('most'))
  return tx
    .update(outbox)
    .set({ takenUntil: paramOf(outbox.takenUntil, 'until') })
    .where(and(inArray(outbox.id, due), lte(outbox.takenUntil, paramOf(outbox.takenUntil, 'at'))))
    .returning({ id: outbox.id, job: outbox.job, payload: outbox.payload, priority: outbox.priority })
})

/** Takes the oldest rows; they are for this relay alone for 20 s. */
export async function takeFromOutbox(db: Database, most: number, at: Date): Promise<OutboxRow[]> {
  if (!(await hasOutbox(db, at))) return []
  return db.tx((tx) => take(tx, { at, until: plusMs(at, takenForMs), most }))
}

const due = prepared('due_outbox', (db) =>
  db
    .select({ id: outbox.id })
    .from(outbox)
    .where(lte(outbox.takenUntil, paramOf(outbox.takenUntil, 'at')))
    .limit(1),
)

/** Asked first, so that polling an empty outbox takes no write lock. */
async function hasOutbox(db: Database, at: Date): Promise<boolean> {
  return (await due(db.read, { at })).length > 0
}

export async function isInOutbox(db: Reader, id: string): Promise<boolean> {
  return (await db.select({ id: outbox.id }).from(outbox).where(eq(outbox.id, id))).length > 0
}

/** Nobody needs to know of more. */
const mostCounted = 100_000

export interface OutboxStanding {
  /** Rows that no relay has taken, and those that one has; at most 100,000 each. */
  waiting: number
  taken: number
  /** Since when the first of those waits that wait. */
  waitsSince: Date | undefined
}

/** How much is in the outbox. Reads its index alone, and no more of it than it counts. */
export async function findOutboxStanding(db: Reader, at: Date): Promise<OutboxStanding> {
  const { takenUntil } = outbox
  const [first] = await db
    .select({ takenUntil })
    .from(outbox)
    .where(lte(takenUntil, at))
    .orderBy(asc(takenUntil))
    .limit(1)
  return {
    waiting: await countUpTo(db, outbox, lte(takenUntil, at), mostCounted),
    taken: await countUpTo(db, outbox, gt(takenUntil, at), mostCounted),
    waitsSince: first?.takenUntil,
  }
}

const remove = preparedWrite('remove_outbox', (tx) => tx.delete(outbox).where(oneOf(outbox.id, 'ids')))

/** The rows are on the queue, or, for a job that is `keptUntilDone`, done. */
export async function removeFromOutbox(tx: Writer, ids: string[]): Promise<void> {
  await remove(tx, { ids })
}

const end = prepared('end_outbox', (tx) =>
  tx.delete(outbox).where(oneOf(outbox.id, 'ids')).returning({ id: outbox.id, createdAt: outbox.createdAt }),
)

/** The same, for one whose work counts once: those that were still there, which nobody else has ended. */
export async function endInOutbox(tx: Writer, ids: string[]): Promise<{ id: string; createdAt: Date }[]> {
  return end(tx, { ids })
}
