import type { JobJson } from 'bullmq'
import { behindRank, type JobRow, jobColumns, jobOf } from './job-rows.ts'
import { advanceScheduler } from './schedulers.ts'
import { all, changeRows, first, type Statements } from './store.ts'

/** The result of `moveToActive`: the job and its id, the pause of a rate limit, and when the next delayed job is due. */
export type NextJob = [job: JobJson | null, id: string, pauseMs: number, dueAt: number]

/** The jobs of a queue that can start. */
export interface Ready {
  isPaused: boolean
  /** Whether a job waits. */
  isWaiting: boolean
  /** When the next delayed job is due. */
  dueAt: number | undefined
}

interface ReadyRow {
  isPaused: number
  isWaiting: number
  dueAt: number | null
}

const readyColumns = (queue: string) => `
  EXISTS (SELECT 1 FROM queue_meta WHERE queue = ${queue} AND field = 'paused') AS isPaused,
  EXISTS (SELECT 1 FROM queue_jobs WHERE queue = ${queue} AND state = 'waiting') AS isWaiting,
  (SELECT min(position) FROM queue_jobs WHERE queue = ${queue} AND state = 'delayed' AND rank = 0) AS dueAt`
const readySql = `SELECT ${readyColumns(':queue')}`
const allReadySql = `SELECT each.value AS queue, ${readyColumns('each.value')} FROM json_each(:queues) AS each`

export function findReady(statements: Statements, queue: string): Ready {
  return readyOf(first<ReadyRow>(statements, readySql, { queue }))
}

/** Looks at several queues with one statement. */
export function findAllReady(statements: Statements, queues: string[]): [queue: string, ready: Ready][] {
  const rows = all<ReadyRow & { queue: string }>(statements, allReadySql, { queues: JSON.stringify(queues) })
  return rows.map((row) => [row.queue, readyOf(row)])
}

function readyOf(row: ReadyRow | undefined): Ready {
  return { isPaused: row?.isPaused === 1, isWaiting: row?.isWaiting === 1, dueAt: row?.dueAt ?? undefined }
}

/** Returns whether a job can start at `now`. */
export function canStart({ isPaused, isWaiting, dueAt }: Ready, now: number): boolean {
  return !isPaused && (isWaiting || (dueAt !== undefined && dueAt <= now))
}

/** Returns the result without a job. A worker waits until `dueAt`, and for 5 s if it is 0. */
export function noJob({ isPaused, dueAt = 0 }: Ready): NextJob {
  return [null, '', 0, isPaused ? 0 : dueAt]
}

/** The delayed jobs that a transaction moves at most. */
const maxDue = 100

const dueSql = `SELECT row, priority FROM queue_jobs
  WHERE queue = :queue AND state = 'delayed' AND rank = 0 AND position <= :now ORDER BY position, row LIMIT ${maxDue}`
const waitSql = `UPDATE queue_jobs SET state = 'waiting', delay_ms = 0, rank = :rank, position = ${behindRank}
  WHERE row = :row`

/** Moves due jobs behind the waiting jobs of their priority. */
function queueDueJobs(statements: Statements, queue: string, now: number): void {
  for (const { row, priority } of all<{ row: number; priority: number }>(statements, dueSql, { queue, now }))
    changeRows(statements, waitSql, { queue, row, rank: priority })
}

const takeSql = `UPDATE queue_jobs
  SET state = 'active', rank = 0, position = :lockedUntil, lock_token = :token, started_at = :now, started_by = :name,
    attempts_started = attempts_started + 1
  WHERE row = (
    SELECT row FROM queue_jobs WHERE queue = :queue AND state = 'waiting'
      AND NOT EXISTS (SELECT 1 FROM queue_meta WHERE queue = :queue AND field = 'paused')
    ORDER BY rank, position, row LIMIT 1
  )
  RETURNING ${jobColumns}`

export interface Taker {
  token: string
  lockMs: number
  name: string | undefined
}

/** Locks the next job of a queue for a worker. If a schedule created it, adds the job of the next time in the same transaction. */
export function takeJob(statements: Statements, queue: string, now: number, { token, lockMs, name }: Taker): NextJob {
  queueDueJobs(statements, queue, now)
  const values = { queue, token, lockedUntil: now + lockMs, now, name: name ?? null }
  const row = first<JobRow>(statements, takeSql, values)
  if (!row) return noJob(findReady(statements, queue))
  const job = jobOf(row)
  if (row.scheduler_id !== null) advanceScheduler(statements, { queue, id: row.scheduler_id }, job, now)
  return [job, row.id, 0, 0]
}
