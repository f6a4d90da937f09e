import { randomUUID } from 'node:crypto'
import type { JobJson } from 'bullmq'
import { behindRank } from './job-rows.ts'
import { changeRows, type Statements } from './store.ts'

/** Options of BullMQ that the queues in SQLite do not have. */
const refusedOptions = ['lifo', 'parent', 'deduplication', 'keepLogs', 'sizeLimit'] as const

export interface AddedJob {
  id: string
  name: string
  data: string
  options: object
  priority: number
  delayMs: number
  addedAt: number
  schedulerId?: string | undefined
}

/** Returns the values of a new job. Throws if it has an option that SQLite does not have. */
export function addedJob({ name, data, opts, timestamp, repeatJobKey }: JobJson, id: string | undefined): AddedJob {
  for (const option of refusedOptions)
    if (opts[option]) throw new Error(`Queues in SQLite do not have the option ${option}.`)
  const { priority = 0, delay = 0 } = opts
  return {
    ...{ id: id || randomUUID(), name, data, options: opts },
    ...{ priority, delayMs: delay, addedAt: timestamp, schedulerId: repeatJobKey },
  }
}

const insert = (position: string) => `INSERT INTO queue_jobs
  (queue, id, state, rank, position, name, priority, delay_ms, added_at, scheduler_id, options, data)
  VALUES (:queue, :id, :state, :rank, ${position}, :name, :priority, :delay, :addedAt, :schedulerId, :options, :data)
  ON CONFLICT (queue, id) DO NOTHING`
const insertWaiting = insert(behindRank)
const insertDelayed = insert(':addedAt + :delay')

/** Adds a job, unless the queue has a job with its id. Returns whether it was added. */
export function addJob(statements: Statements, queue: string, job: AddedJob): boolean {
  const isDelayed = job.delayMs > 0
  const added = changeRows(statements, isDelayed ? insertDelayed : insertWaiting, {
    ...{ queue, id: job.id, name: job.name, priority: job.priority, delay: job.delayMs, addedAt: job.addedAt },
    ...{ state: isDelayed ? 'delayed' : 'waiting', rank: isDelayed ? 0 : job.priority },
    ...{ schedulerId: job.schedulerId ?? null, options: JSON.stringify(job.options), data: job.data },
  })
  return added > 0
}
