import type { JobJson, JobState, JobType } from 'bullmq'
import { type JobRow, jobColumns, jobOf } from './job-rows.ts'
import { all, first, type Statements } from './store.ts'

export function findJob(statements: Statements, queue: string, id: string): JobJson | undefined {
  const sql = `SELECT ${jobColumns} FROM queue_jobs WHERE queue = :queue AND id = :id`
  const row = first<JobRow>(statements, sql, { queue, id })
  return row && jobOf(row)
}

export function findState(statements: Statements, queue: string, id: string): JobState | 'unknown' {
  const sql = 'SELECT state, rank FROM queue_jobs WHERE queue = :queue AND id = :id'
  const row = first<Pick<JobRow, 'state'> & { rank: number }>(statements, sql, { queue, id })
  if (!row) return 'unknown'
  return row.rank > 0 ? 'prioritized' : row.state
}

/** The condition on `queue_jobs` for a type of BullMQ, and its list in Redis if it is one. Undefined for types that SQLite does not have. */
const conditions: { [Type in JobType]?: string } = {
  wait: "state = 'waiting' AND rank = 0",
  waiting: "state = 'waiting' AND rank = 0",
  prioritized: "state = 'waiting' AND rank > 0",
  active: "state = 'active' AND rank = 0",
  delayed: "state = 'delayed' AND rank = 0",
  completed: "state = 'completed' AND rank = 0",
  failed: "state = 'failed' AND rank = 0",
}

/** A higher count has no use. */
const maxCounted = 100_000

/** Counts the jobs of each type, up to 100,000. */
export function countJobs(statements: Statements, queue: string, types: JobType[]): number[] {
  return types.map((type) => {
    const condition = conditions[type]
    if (!condition) return 0
    const sql = `SELECT count(*) AS jobs FROM
      (SELECT 1 FROM queue_jobs WHERE queue = :queue AND ${condition} LIMIT ${maxCounted})`
    return first<{ jobs: number }>(statements, sql, { queue })?.jobs ?? 0
  })
}

/** These are lists in Redis. BullMQ expects their newest job first, and reverses them itself. */
const lists: JobType[] = ['wait', 'waiting', 'active']

/** Returns the ids of the jobs of each type from `start` to `end`, in the order of BullMQ. `end` is inclusive, and -1 is the last one. */
export function listJobs(
  statements: Statements,
  queue: string,
  types: JobType[],
  { start, end, asc }: { start: number; end: number; asc: boolean },
): string[][] {
  const direction = asc ? 'ASC' : 'DESC'
  return types.map((type) => {
    const condition = conditions[type]
    if (!condition) return []
    const sql = `SELECT id FROM queue_jobs WHERE queue = :queue AND ${condition}
      ORDER BY rank ${direction}, position ${direction}, row ${direction} LIMIT :limit OFFSET :start`
    const ids = all<{ id: string }>(statements, sql, { queue, start, limit: end < 0 ? -1 : end - start + 1 })
    const inOrder = ids.map(({ id }) => id)
    return asc && lists.includes(type) ? inOrder.reverse() : inOrder
  })
}
