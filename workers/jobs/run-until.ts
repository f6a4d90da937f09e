import { setTimeout as sleep } from 'node:timers/promises'
import type { Writer } from '../../db/client.ts'
import type { WorkerDeps } from './handlers.ts'

/**
 * The shortest pause between two steps. SQLite has one writer at a time, and its lock is not fair. Other writers get it between two steps,
 * for as long as a step took.
 */
export const minPauseMs = 5

/**
 * One step of a long job, usually one transaction. Returns the shortest pause before the next step in milliseconds, or undefined if nothing
 * is left.
 */
export type JobStep = () => Promise<number | undefined>

export interface StepPauses {
  /** The step returns how long its transaction took, and the rest of it can run at once with other writers. */
  isTimed?: boolean
}

/**
 * Repeats a step until nothing is left or the time is up (`until` of `performance.now()`). Makes at least one step. Returns undefined if
 * nothing is left, or else the pause before the next step.
 */
export async function runUntil(
  step: JobStep,
  until: number,
  { isTimed = false }: StepPauses = {},
): Promise<number | undefined> {
  for (;;) {
    const startedAt = performance.now()
    const pauseMs = await step()
    if (pauseMs === undefined) return undefined
    const waitMs = isTimed ? pauseMs : Math.max(pauseMs, performance.now() - startedAt)
    if (performance.now() + waitMs > until) return waitMs
    await sleep(waitMs)
  }
}

const batchSize = 500

/** Changes at most `max` rows in a transaction and returns their number. */
export type Batch = (tx: Writer, max: number) => Promise<number>

export interface BatchResult {
  count: number
  /** False if the time was up before the last row. */
  isAll: boolean
}

/** Repeats a batch, each in its own transaction, until no row is left or the time is up. */
export async function runBatchesUntil(
  { db }: Pick<WorkerDeps, 'db'>,
  batch: Batch,
  until = Infinity,
): Promise<BatchResult> {
  let count = 0
  const pauseMs = await runUntil(async () => {
    const size = await db.tx((tx) => batch(tx, batchSize))
    count += size
    return size < batchSize ? undefined : minPauseMs
  }, until)
  return { count, isAll: pauseMs === undefined }
}
