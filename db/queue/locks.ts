import { beforeAll } from './job-rows.ts'
import { all, changeRows, first, type Statements } from './store.ts'

const extendSql = `UPDATE queue_jobs SET position = :lockedUntil
  WHERE queue = :queue AND id = :id AND state = 'active' AND lock_token = :token`

/** Extends the lock of a job. Returns whether the worker still has it. */
export function extendLock(
  statements: Statements,
  job: { queue: string; id: string; token: string },
  lockedUntil: number,
): boolean {
  return changeRows(statements, extendSql, { ...job, lockedUntil }) > 0
}

/** The jobs of stopped workers that a transaction moves at most. */
const maxStalled = 100

const stalledSql = `FROM queue_jobs WHERE queue = :queue AND state = 'active' AND rank = 0 AND position < :now`
const isStalledSql = `SELECT 1 ${stalledSql} LIMIT 1`
const findStalledSql = `SELECT row ${stalledSql} ORDER BY position DESC LIMIT ${maxStalled}`
const queueSql = `UPDATE queue_jobs
  SET state = 'waiting', rank = 0, position = ${beforeAll}, lock_token = NULL, stalls = stalls + 1,
    deferred_failure = CASE
      WHEN stalls >= :maxStalls AND NOT EXISTS (
        SELECT 1 FROM queue_schedulers AS scheduler
          WHERE scheduler.queue = queue_jobs.queue AND scheduler.id = queue_jobs.scheduler_id)
      THEN 'job stalled more than allowable limit' END
  WHERE row = :row RETURNING id`

/** Returns whether a lock of an active job has expired. */
export function hasStalledJobs(statements: Statements, queue: string, now: number): boolean {
  return first(statements, isStalledSql, { queue, now }) !== undefined
}

/**
 * Moves active jobs whose lock has expired before all waiting jobs. The next worker fails a job that was interrupted more than `maxStalls`
 * times, unless a schedule creates it. Returns the ids.
 */
export function queueStalledJobs(statements: Statements, queue: string, now: number, maxStalls: number): string[] {
  const stalled = all<{ row: number }>(statements, findStalledSql, { queue, now })
  return stalled.flatMap(({ row }) =>
    all<{ id: string }>(statements, queueSql, { queue, row, maxStalls }).map(({ id }) => id),
  )
}
