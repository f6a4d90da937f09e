import { setTimeout as sleep } from 'node:timers/promises'
import type { Writer } from '../../db/client.ts'
import type { WorkerDeps } from '../handlers.ts'

const batchSize = 500
/** SQLite has one writer at a time, and its lock is not fair: between two batches others get it for as long as one took. */
const shortestPauseMs = 5

/** Takes away at most so many rows in one transaction, and says how many they were. */
export type Batch = (tx: Writer, most: number) => Promise<number>

export interface Done {
  count: number
  /** False when the time was up first. */
  isAll: boolean
}

/** Repeats a batch in transactions of its own until nothing is left, or `until` (of `performance.now`) has come. */
export async function inBatches({ db }: Pick<WorkerDeps, 'db'>, batch: Batch, until = Infinity): Promise<Done> {
  for (let count = 0; ; ) {
    const startedAt = performance.now()
    const size = await db.tx((tx) => batch(tx, batchSize))
    count += size
    if (size < batchSize) return { count, isAll: true }
    if (performance.now() > until) return { count, isAll: false }
    await sleep(Math.max(performance.now() - startedAt, shortestPauseMs))
  }
}
