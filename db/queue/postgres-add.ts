import type { IQueueBackend, JobJson, PgQueryable } from 'bullmq'

type AddJobs = Parameters<IQueueBackend['addJobs']>[0]

/**
 * The lock is that of BullMQ against the removal of a whole queue. Jobs whose id is in use are left out. One notification wakes the workers if a job
 * was added. Returns the ids in the order of the entries.
 */
const addText = `
  WITH entries AS MATERIALIZED (
    SELECT place, coalesce(nullif(id, ''), next_job_id($1)) AS id, name, data::jsonb, opts::jsonb, priority, delay, attempts, added_at
    FROM (SELECT pg_advisory_xact_lock_shared(hashtext('bullmq:finalization'), hashtext($1))) AS held,
      unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::int[], $7::bigint[], $8::int[], $9::bigint[])
        WITH ORDINALITY AS each (id, name, data, opts, priority, delay, attempts, added_at, place)
    ORDER BY place
  ), added AS (
    INSERT INTO job (queue, id, seq, name, state, data, opts, priority, delay_ms, max_attempts, added_at_ms, process_at_ms)
    SELECT $1, id, nextval('job_seq'), name, (CASE WHEN delay > 0 THEN 'delayed' ELSE 'waiting' END)::job_state, data, opts,
      priority, delay, attempts, added_at, CASE WHEN delay > 0 THEN added_at + delay END
    FROM entries ORDER BY place
    ON CONFLICT (queue, id) DO NOTHING
    RETURNING 1
  ), first AS (SELECT 1 FROM added LIMIT 1)
  SELECT id, (SELECT pg_notify('bullmq_jobs', $1)::text FROM first) FROM entries ORDER BY place`

/**
 * Adds jobs with one statement. BullMQ creates two temporary tables for each call, which write rows of the catalog and let all connections
 * forget their plans.
 */
export async function addPostgresJobs({ query }: PgQueryable, queue: string, entries: AddJobs): Promise<string[]> {
  const columns = entries.map(({ job, jobId }) => columnsOf(job, jobId))
  const values = Array.from({ length: 8 }, (_, column) => columns.map((row) => row[column]))
  const { rows } = await query<{ id: string }>(addText, [queue, ...values])
  return rows.map(({ id }) => id)
}

function columnsOf(job: JobJson, jobId: string) {
  const { opts, name, data, delay, priority, timestamp } = job
  return [
    jobId || job.id || '',
    name,
    data || '{}',
    JSON.stringify(delay === undefined ? opts : { ...opts, delay }),
    priority ?? opts.priority ?? 0,
    delay ?? opts.delay ?? 0,
    opts.attempts ?? 1,
    timestamp ?? Date.now(),
  ]
}

/** Returns whether all entries are jobs on their own, as those of this service. */
export function areIndependent(entries: AddJobs): boolean {
  return entries.every(
    ({ job }) => !job.parent && !job.deduplicationId && !job.repeatJobKey && !job.opts.lifo && !job.parentKey,
  )
}
