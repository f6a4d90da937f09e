import type { JobJson, JobsOptions } from 'bullmq'

/** The states of a row. A waiting job with a priority is `prioritized` to BullMQ. */
export type RowState = 'waiting' | 'active' | 'delayed' | 'completed' | 'failed'

/**
 * A job. `rank` and `position` order the jobs of a state: the priority and the place in line of waiting jobs, otherwise 0 and a time: when a
 * delayed job is due, the lock of an active job expires, or a job finished.
 */
export interface JobRow {
  row: number
  id: string
  state: RowState
  name: string
  priority: number
  delay_ms: number
  added_at: number
  attempts_made: number
  attempts_started: number
  stalls: number
  started_at: number | null
  started_by: string | null
  finished_at: number | null
  result: string | null
  failure: string | null
  deferred_failure: string | null
  stacktrace: string | null
  scheduler_id: string | null
  options: string
  data: string
}

/** The columns of `JobRow`. */
export const jobColumns = `row, id, state, name, priority, delay_ms, added_at, attempts_made, attempts_started, stalls,
  started_at, started_by, finished_at, result, failure, deferred_failure, stacktrace, scheduler_id, options, data`

/** Returns a job as BullMQ reads it. */
export function jobOf(row: JobRow): JobJson {
  return {
    id: row.id,
    name: row.name,
    data: row.data,
    // Boundary: BullMQ has written them.
    opts: JSON.parse(row.options) as JobsOptions,
    progress: 0,
    attemptsMade: row.attempts_made,
    attemptsStarted: row.attempts_started,
    stalledCounter: row.stalls,
    timestamp: row.added_at,
    delay: row.delay_ms,
    priority: row.priority,
    failedReason: row.failure ?? '',
    stacktrace: row.stacktrace ?? '[]',
    returnvalue: row.result ?? 'null',
    ...(row.started_at === null ? {} : { processedOn: row.started_at }),
    ...(row.started_by === null ? {} : { processedBy: row.started_by }),
    ...(row.finished_at === null ? {} : { finishedOn: row.finished_at }),
    ...(row.deferred_failure === null ? {} : { deferredFailure: row.deferred_failure }),
    ...(row.scheduler_id === null ? {} : { repeatJobKey: row.scheduler_id }),
  }
}

/** The place behind the waiting jobs of `:rank`, and the place before all waiting jobs. */
export const behindRank = `(SELECT coalesce(max(position), 0) + 1 FROM queue_jobs AS line
  WHERE line.queue = :queue AND line.state = 'waiting' AND line.rank = :rank)`
export const beforeAll = `(SELECT coalesce(min(position), 0) - 1 FROM queue_jobs AS line
  WHERE line.queue = :queue AND line.state = 'waiting' AND line.rank = 0)`
