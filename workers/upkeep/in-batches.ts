import { setTimeout as sleep } from 'node:timers/promises'
import type { Purge } from '../../db/repos/retention.ts'
import type { WorkerDeps } from '../handlers.ts'

const batchSize = 500
/** Per run; what is left waits for the next one. */
const mostBatches = 40
/** SQLite has one writer at a time, and its lock is not fair: between two batches others get it. */
const pauseMs = 10

/** Runs a purge in transactions of its own until nothing is left, or enough was done. Returns how many rows it was. */
export async function inBatches({ db }: Pick<WorkerDeps, 'db'>, purge: Purge, before: Date): Promise<number> {
  let sum = 0
  for (let batch = 0; batch < mostBatches; batch++) {
    const count = await db.tx((tx) => purge(tx, before, batchSize))
    sum += count
    if (count < batchSize) break
    await sleep(pauseMs)
  }
  return sum
}
