import type { JobJson, JobsOptions, RepeatableOptions } from 'bullmq'
import { addJob } from './add-jobs.ts'
import { all, changeRows, first, type Statements } from './store.ts'

interface SchedulerRow {
  name: string
  every_ms: number
  offset_ms: number
  starts_at: number | null
  next_at: number
  iterations: number
  options: string
  data: string
}

interface Of {
  queue: string
  id: string
}

const findSql = 'SELECT * FROM queue_schedulers WHERE queue = :queue AND id = :id'
const findScheduler = (statements: Statements, of: Of) => first<SchedulerRow>(statements, findSql, { ...of })

/** Returns the time of the run after `previous`, and its distance to a multiple of the interval. Runs that were missed are left out. */
function nextRun(
  { every, offset, startsAt }: { every: number; offset: number; startsAt: number | null },
  previous: number | undefined,
  now: number,
): { at: number; offset: number } {
  const slot = (offset: number) => {
    const aligned = Math.floor(now / every) * every + offset
    return aligned <= now ? aligned + every : aligned
  }
  const isMissed = previous !== undefined && previous + every < now
  const firstAt = startsAt !== null ? Math.max(startsAt, now) : offset > 0 ? slot(offset) : now
  const at = previous === undefined ? firstAt : isMissed ? slot(offset) : previous + every
  return { at, offset: offset || at % every }
}

const removeWaitingSql = `DELETE FROM queue_jobs
  WHERE queue = :queue AND id = :job AND state IN ('delayed', 'waiting')`
const storeSql = `INSERT INTO queue_schedulers
  (queue, id, name, every_ms, offset_ms, starts_at, next_at, iterations, options, data)
  VALUES (:queue, :id, :name, :every, :offset, :startsAt, :next, 1, :options, :data)
  ON CONFLICT (queue, id) DO UPDATE SET name = excluded.name, every_ms = excluded.every_ms, offset_ms = excluded.offset_ms,
    starts_at = excluded.starts_at, next_at = excluded.next_at, options = excluded.options, data = excluded.data`

/** Options of BullMQ that schedulers in SQLite do not have. */
const refusedOptions = ['pattern', 'tz', 'limit', 'endDate'] as const

export interface Schedule {
  data: string
  templateOptions: JobsOptions
  repeat: RepeatableOptions
  jobOptions: JobsOptions
}

/**
 * Stores a scheduler, and replaces its waiting job. The job keeps its time if the interval is the same. Returns the job's id and delay.
 */
export function putScheduler(
  statements: Statements,
  of: Of,
  { data, templateOptions, repeat, jobOptions }: Schedule,
  now: number,
): [string, number] {
  const { name, every, offset, startDate } = repeat
  for (const option of refusedOptions)
    if (repeat[option]) throw new Error(`Schedulers in SQLite do not have the option ${option}.`)
  if (!every) throw new Error('Schedulers in SQLite need the option every.')
  const stored = findScheduler(statements, of)
  const isSameInterval = stored?.every_ms === every
  const startsAt = typeof startDate === 'number' ? startDate : null
  const due = nextRun({ every, offset: offset ?? 0, startsAt }, isSameInterval ? stored.next_at : undefined, now)
  const replaced =
    stored && changeRows(statements, removeWaitingSql, { queue: of.queue, job: jobId(of.id, stored.next_at) }) > 0
  const next = freeSlot(statements, of, replaced && isSameInterval ? stored.next_at : due.at, every)
  changeRows(statements, storeSql, {
    ...{ ...of, name: name ?? of.id, every, offset: offset ?? stored?.offset_ms ?? due.offset, startsAt, next },
    ...{ options: JSON.stringify(templateOptions), data },
  })
  return addRun(statements, of, { name: name ?? of.id, data, at: next, options: jobOptions }, now)
}

/** The intervals after which a search for a time without a job ends. */
const maxSlots = 32

function freeSlot(statements: Statements, { queue, id }: Of, from: number, every: number): number {
  for (let at = from; at < from + maxSlots * every; at += every) {
    const job = first(statements, 'SELECT 1 FROM queue_jobs WHERE queue = :queue AND id = :job', {
      queue,
      job: jobId(id, at),
    })
    if (!job) return at
  }
  throw new Error(`The scheduler ${id} has unfinished jobs at its next ${maxSlots} times.`)
}

const jobId = (id: string, at: number) => `repeat:${id}:${at}`

function addRun(
  statements: Statements,
  { queue, id }: Of,
  { name, data, at, options }: { name: string; data: string; at: number; options: JobsOptions },
  now: number,
): [string, number] {
  const delay = Math.max(at - now, 0)
  const job = jobId(id, at)
  addJob(statements, queue, {
    ...{ id: job, name, data, options: { ...options, delay, jobId: job } },
    ...{ priority: options.priority ?? 0, delayMs: delay, addedAt: now, schedulerId: id },
  })
  return [job, delay]
}

const advanceSql = `UPDATE queue_schedulers SET next_at = :next, iterations = iterations + 1
  WHERE queue = :queue AND id = :id`

/** Adds the job after `job`, unless a worker has added it or the scheduler was removed. */
export function advanceScheduler(statements: Statements, of: Of, job: Pick<JobJson, 'id' | 'opts'>, now: number): void {
  const stored = findScheduler(statements, of)
  if (!stored || job.id !== jobId(of.id, stored.next_at)) return
  const { every_ms: every, offset_ms: offset, starts_at: startsAt, name, data } = stored
  const { at } = nextRun({ every, offset, startsAt }, stored.next_at, now)
  changeRows(statements, advanceSql, { ...of, next: at })
  addRun(statements, of, { name, data, at, options: { ...job.opts, timestamp: now } }, now)
}

/** Removes a scheduler and its delayed job. Returns whether it existed. */
export function removeScheduler(statements: Statements, of: Of): boolean {
  const stored = findScheduler(statements, of)
  if (!stored) return false
  const { queue, id } = of
  changeRows(statements, "DELETE FROM queue_jobs WHERE queue = :queue AND id = :job AND state = 'delayed'", {
    queue,
    job: jobId(id, stored.next_at),
  })
  return changeRows(statements, 'DELETE FROM queue_schedulers WHERE queue = :queue AND id = :id', { queue, id }) > 0
}

/** Returns the fields of a scheduler as BullMQ stores them in Redis. */
export function readScheduler(
  statements: Statements,
  of: Of,
): { fields: Record<string, string>; next: number } | undefined {
  const row = findScheduler(statements, of)
  if (!row) return undefined
  const { name, every_ms, offset_ms, starts_at, next_at, iterations, options, data } = row
  const start = starts_at === null ? {} : { startDate: String(starts_at) }
  const numbers = { ic: String(iterations), every: String(every_ms), offset: String(offset_ms) }
  return { fields: { name, ...numbers, ...start, data, opts: options }, next: next_at }
}

/** Returns the ids of schedulers and the times of their next jobs, in the order of these times. `end` is inclusive, and -1 is the last one. */
export function listSchedulers(
  statements: Statements,
  queue: string,
  { start, end, asc }: { start: number; end: number; asc: boolean },
): { id: string; next_at: number }[] {
  const direction = asc ? 'ASC' : 'DESC'
  const sql = `SELECT id, next_at FROM queue_schedulers WHERE queue = :queue
    ORDER BY next_at ${direction}, id ${direction} LIMIT :limit OFFSET :start`
  return all(statements, sql, { queue, start, limit: end < 0 ? -1 : end - start + 1 })
}
