import { behindRank } from './job-rows.ts'
import { all, changeRows, first, type Statements } from './store.ts'

/** The settings that BullMQ stores with each queue that it opens. They have no effect in SQLite. */
const settingsWithoutEffect = ['opts.maxLenEvents', 'version']

/** Throws if `settings` limit a queue, because SQLite does not have such limits. */
export function refuseSettings(settings: object): void {
  const setting = Object.keys(settings).find((name) => !settingsWithoutEffect.includes(name))
  if (setting) throw new Error(`Queues in SQLite do not have the setting ${setting}.`)
}

export function hasMeta(statements: Statements, queue: string, field: string): boolean {
  const sql = 'SELECT 1 FROM queue_meta WHERE queue = :queue AND field = :field'
  return first(statements, sql, { queue, field }) !== undefined
}

/** Workers take no job of a paused queue. */
export function pauseQueue(statements: Statements, queue: string, isPaused: boolean): void {
  const pause = "INSERT INTO queue_meta (queue, field, value) VALUES (:queue, 'paused', '1') ON CONFLICT DO NOTHING"
  const resume = "DELETE FROM queue_meta WHERE queue = :queue AND field = 'paused'"
  changeRows(statements, isPaused ? pause : resume, { queue })
}

/** Removes a job. Returns false if a worker has locked it. */
export function removeJob(statements: Statements, queue: string, id: string): boolean {
  const isActive = "SELECT 1 FROM queue_jobs WHERE queue = :queue AND id = :id AND state = 'active'"
  if (first(statements, isActive, { queue, id })) return false
  changeRows(statements, 'DELETE FROM queue_jobs WHERE queue = :queue AND id = :id', { queue, id })
  return true
}

/** Lets a delayed job start at once. Returns false if the job is not delayed. */
export function promoteJob(statements: Statements, queue: string, id: string): boolean {
  const delayed = "queue = :queue AND id = :id AND state = 'delayed'"
  const job = first<{ priority: number }>(statements, `SELECT priority FROM queue_jobs WHERE ${delayed}`, { queue, id })
  if (!job) return false
  const sql = `UPDATE queue_jobs
    SET state = 'waiting', delay_ms = 0, rank = :rank, position = ${behindRank} WHERE ${delayed}`
  return changeRows(statements, sql, { queue, id, rank: job.priority }) > 0
}

/** Removes jobs of a state that were added or finished before a time. Returns their ids. */
export function cleanJobs(
  statements: Statements,
  queue: string,
  { state, before, limit }: { state: string; before: number; limit: number },
): string[] {
  const sql = `DELETE FROM queue_jobs WHERE row IN (
    SELECT row FROM queue_jobs
      WHERE queue = :queue AND state = :state AND rank ${rankOf(state)} AND coalesce(finished_at, added_at) <= :before
      ORDER BY rank, position LIMIT :limit)
    RETURNING id`
  const values = { queue, state: stateOf(state), before, limit: limit > 0 ? limit : -1 }
  return all<{ id: string }>(statements, sql, values).map(({ id }) => id)
}

const stateOf = (type: string) => (['wait', 'prioritized'].includes(type) ? 'waiting' : type)
const rankOf = (type: string) => (type === 'prioritized' ? '> 0' : '= 0')

/**
 * Removes up to `count` jobs, and then everything else of a queue. Returns whether the queue is empty. Throws if it is not paused, or if
 * a job is active and `force` is not set.
 */
export function obliterateQueue(
  statements: Statements,
  queue: string,
  { count, force }: { count: number; force: boolean },
): boolean {
  if (!hasMeta(statements, queue, 'paused')) throw new Error('Cannot obliterate non-paused queue')
  const isActive = "SELECT 1 FROM queue_jobs WHERE queue = :queue AND state = 'active' LIMIT 1"
  if (!force && first(statements, isActive, { queue })) throw new Error('Cannot obliterate queue with active jobs')
  const sql = 'DELETE FROM queue_jobs WHERE row IN (SELECT row FROM queue_jobs WHERE queue = :queue LIMIT :count)'
  if (changeRows(statements, sql, { queue, count }) === count) return false
  for (const table of ['queue_schedulers', 'queue_meta'])
    changeRows(statements, `DELETE FROM ${table} WHERE queue = :queue`, { queue })
  return true
}
