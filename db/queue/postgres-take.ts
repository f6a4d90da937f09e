import type { JobJson, JobsOptions, PgQueryable } from 'bullmq'
import type { NextJob } from './take-job.ts'

/** The worker that takes a job, and the token of its lock. */
export interface PostgresTaker {
  queue: string
  token: string
  lockMs: number
  name: string | undefined
}

/** The result of a search for the next job. */
export interface Look {
  next: NextJob
  /** When the next delayed job is due. */
  dueAt: number | undefined
  /** Whether another job waits. */
  isMore: boolean
}

interface TakenRow {
  id: string | null
  name: string
  data: string
  opts: JobsOptions
  priority: number
  delay_ms: string
  added_at_ms: string
  attempts_made: number
  attempts_started: number
  stalled_count: number
  processed_at_ms: string
  processed_by: string | null
  failed_reason: string | null
  deferred_failure: string | null
  stacktrace: string | null
  scheduler_id: string | null
  due_at: string | null
  is_more: boolean
}

const jobColumns = [
  ...[
    'id',
    'name',
    'opts',
    'priority',
    'delay_ms',
    'added_at_ms',
    'attempts_made',
    'attempts_started',
    'stalled_count',
  ],
  ...['processed_at_ms', 'processed_by', 'failed_reason', 'deferred_failure', 'scheduler_id'],
].map((name) => `(taken).${name}`)
const columns = [...jobColumns, '(taken).data::text', '(taken).stacktrace::text', 'due_at', 'is_more'].join(', ')

const takeText = `SELECT ${columns} FROM take_job($1, $2, $3, $4, $5)`

/** Takes the next job. */
export async function takePostgresJob(
  { query }: PgQueryable,
  { queue, token, lockMs, name }: PostgresTaker,
): Promise<Look> {
  const { rows } = await query<TakenRow>(takeText, [queue, token, lockMs, Date.now(), name ?? null])
  return lookOf(rows[0])
}

// The time that the first function returns is a parameter of the second one, which therefore runs after it.
const completeText = `SELECT ${columns}
  FROM move_to_completed($1, $6, $2, $7::jsonb, $4, true, NULL, NULL) AS completed (at)
  CROSS JOIN LATERAL take_job($1, $2, $3, completed.at, $5)`

/** Removes a job that is done, and takes the next one, in one transaction. Throws an error with the code BM001 if the worker lost the lock. */
export async function completePostgresJob(
  { query }: PgQueryable,
  { queue, token, lockMs, name }: PostgresTaker,
  { id, result, finishedOn }: { id: string | undefined; result: unknown; finishedOn: number },
): Promise<Look> {
  const values = [queue, token, lockMs, finishedOn, name ?? null, id, JSON.stringify(result ?? null)]
  return lookOf((await query<TakenRow>(completeText, values)).rows[0])
}

function lookOf(row: TakenRow | undefined): Look {
  const dueAt = row?.due_at == null ? undefined : Number(row.due_at)
  // Jobs that wait although none was taken are those of a paused queue, and those that others take now.
  if (row?.id == null) return { next: [null, '', 0, dueAt ?? 0], dueAt, isMore: false }
  return { next: [jobOf(row, row.id), row.id, 0, 0], dueAt, isMore: row.is_more }
}

/** Returns a job as BullMQ reads it. */
function jobOf(row: TakenRow, id: string): JobJson {
  return {
    id,
    name: row.name,
    data: row.data,
    opts: row.opts,
    progress: 0,
    attemptsMade: row.attempts_made,
    attemptsStarted: row.attempts_started,
    stalledCounter: row.stalled_count,
    timestamp: Number(row.added_at_ms),
    delay: Number(row.delay_ms),
    priority: row.priority,
    processedOn: Number(row.processed_at_ms),
    failedReason: row.failed_reason ?? '',
    stacktrace: row.stacktrace ?? '[]',
    returnvalue: 'null',
    ...(row.processed_by === null ? {} : { processedBy: row.processed_by }),
    ...(row.deferred_failure === null ? {} : { deferredFailure: row.deferred_failure }),
    ...(row.scheduler_id === null ? {} : { repeatJobKey: row.scheduler_id }),
  }
}
