import type { KeepJobs } from 'bullmq'
import { behindRank } from './job-rows.ts'
import { changeRows, first, type Statements } from './store.ts'

export interface LockedJob {
  queue: string
  id: string
  token: string
}

const lockedSql = `queue = :queue AND id = :id AND state = 'active' AND lock_token = :token`

const deleteSql = `DELETE FROM queue_jobs WHERE ${lockedSql}`
const finishSql = `UPDATE queue_jobs
  SET state = :state, rank = 0, position = :now, finished_at = :now, lock_token = NULL, attempts_made = attempts_made + 1,
    result = :result, failure = :failure, stacktrace = :stacktrace, deferred_failure = NULL
  WHERE ${lockedSql}`

interface Finish {
  state: 'completed' | 'failed'
  result?: string
  failure?: string
  stacktrace?: string
  /** `true` removes the job. */
  keep: boolean | number | KeepJobs | undefined
}

/** Completes or fails a job, and removes older jobs of the state. Throws if the worker no longer has the lock. */
export function finishJob(
  statements: Statements,
  { queue, id, token }: LockedJob,
  now: number,
  { state, keep, result, failure, stacktrace }: Finish,
): void {
  const values = { queue, id, token }
  const ended = { state, now, result: result ?? null, failure: failure ?? null, stacktrace: stacktrace ?? null }
  const changed =
    keep === true
      ? changeRows(statements, deleteSql, values)
      : changeRows(statements, finishSql, { ...values, ...ended })
  if (changed === 0) throw lostLock(statements, values)
  if (keep !== true) removeOldJobs(statements, { queue, state }, now, keep)
}

/** The jobs that a transaction removes at most. */
const maxRemoved = 1_000

const olderSql = `DELETE FROM queue_jobs WHERE row IN (SELECT row FROM queue_jobs
  WHERE queue = :queue AND state = :state AND rank = 0 AND position <= :before ORDER BY position LIMIT ${maxRemoved})`
const surplusSql = `DELETE FROM queue_jobs WHERE row IN (SELECT row FROM queue_jobs
  WHERE queue = :queue AND state = :state AND rank = 0 ORDER BY position DESC, row DESC LIMIT ${maxRemoved} OFFSET :kept)`

function removeOldJobs(
  statements: Statements,
  of: { queue: string; state: string },
  now: number,
  keep: boolean | number | KeepJobs | undefined,
): void {
  const limits: { age?: number; count?: number } = typeof keep === 'number' ? { count: keep } : Object(keep)
  if (limits.age !== undefined) changeRows(statements, olderSql, { ...of, before: now - limits.age * 1000 })
  if (limits.count !== undefined) changeRows(statements, surplusSql, { ...of, kept: limits.count })
}

interface Retry {
  delayMs: number
  /** When the delay ends. */
  dueAt: number
  countsAttempt: boolean
  failure: string | undefined
  stacktrace: string | undefined
}

const endedAttempt = `lock_token = NULL, attempts_made = attempts_made + :attempts,
  failure = coalesce(:failure, failure), stacktrace = coalesce(:stacktrace, stacktrace)`
const delaySql = `UPDATE queue_jobs
  SET state = 'delayed', rank = 0, position = :dueAt, delay_ms = :delay, ${endedAttempt}
  WHERE ${lockedSql}`
const prioritySql = `SELECT priority FROM queue_jobs WHERE ${lockedSql}`
const retrySql = `UPDATE queue_jobs
  SET state = 'waiting', rank = :rank, position = ${behindRank}, ${endedAttempt}
  WHERE ${lockedSql}`

/** Queues a job again, after `delayMs`. Throws if the worker no longer has the lock. */
export function retryJob(
  statements: Statements,
  { queue, id, token }: LockedJob,
  { delayMs, dueAt, countsAttempt, failure, stacktrace }: Retry,
): void {
  const locked = { queue, id, token }
  const job = first<{ priority: number }>(statements, prioritySql, locked)
  if (!job) throw lostLock(statements, locked)
  const attempt = { attempts: countsAttempt ? 1 : 0, failure: failure ?? null, stacktrace: stacktrace ?? null }
  if (delayMs > 0) changeRows(statements, delaySql, { ...locked, ...attempt, dueAt, delay: delayMs })
  else changeRows(statements, retrySql, { ...locked, ...attempt, rank: job.priority })
}

/** The codes and messages of BullMQ for a job that is missing or that the worker has not locked. */
function lostLock(statements: Statements, { queue, id }: LockedJob): Error {
  const job = first(statements, 'SELECT 1 FROM queue_jobs WHERE queue = :queue AND id = :id', { queue, id })
  const [code, missing] = job ? [-2, 'lock'] : [-1, 'key']
  return Object.assign(new Error(`Missing ${missing} for job ${id}.`), { code })
}
