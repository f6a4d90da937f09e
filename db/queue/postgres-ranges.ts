import type { JobType, PgQueryable } from 'bullmq'

/** The condition on `job` for the types of waiting jobs. */
const conditions: { [Type in JobType]?: string } = {
  wait: "state = 'waiting' AND priority = 0",
  waiting: "state = 'waiting' AND priority = 0",
  prioritized: "state = 'waiting' AND priority > 0",
}

/**
 * Returns the ids of waiting jobs from `start` to `end`, in the order of Redis. `end` is inclusive, and -1 is the last one. Undefined for other
 * types. BullMQ itself counts `start` of jobs without priority from the newest, and orders jobs with the same priority from the oldest.
 */
export async function listWaiting(
  { query }: PgQueryable,
  queue: string,
  type: JobType,
  { start, end, asc }: { start: number; end: number; asc: boolean },
): Promise<string[] | undefined> {
  const condition = conditions[type]
  if (!condition) return undefined
  const direction = asc ? 'ASC' : 'DESC'
  const text = `SELECT id FROM job WHERE queue = $1 AND ${condition}
    ORDER BY priority ${direction}, seq ${direction} OFFSET $2 LIMIT $3`
  const { rows } = await query<{ id: string }>(text, [queue, start, end < 0 ? null : end - start + 1])
  const ids = rows.map(({ id }) => id)
  // BullMQ expects the newest job of a list first, and reverses it.
  return asc && type !== 'prioritized' ? ids.reverse() : ids
}

/** The condition on `job` for each type that is counted. */
const counted: { [Type in JobType]?: string } = {
  ...conditions,
  active: "state = 'active'",
  delayed: "state = 'delayed'",
  completed: "state = 'completed'",
  failed: "state = 'failed'",
}

/** A higher count has no use. */
const maxCounted = 100_000

/** Counts the jobs of each type, up to 100,000. BullMQ itself reads all jobs of the queue. Jobs of a paused queue count as waiting. */
export async function countPostgresJobs({ query }: PgQueryable, queue: string, types: JobType[]): Promise<number[]> {
  const columns = types.map((type, index) => {
    const condition = counted[type] ?? 'false'
    const jobs = `SELECT 1 FROM job WHERE queue = $1 AND ${condition} LIMIT ${maxCounted}`
    return `(SELECT count(*)::int FROM (${jobs}) AS jobs) AS "${index}"`
  })
  const { rows } = await query<Record<string, number>>(`SELECT ${columns.join(', ')}`, [queue])
  return types.map((_type, index) => rows[0]?.[index] ?? 0)
}
