import type { PgQueryable, PostgresQueueBackend, QueueBaseOptions } from 'bullmq'
import type { JobNotifications } from './job-notifications.ts'
import { completePostgresJob, type Look, type PostgresTaker, takePostgresJob } from './postgres-take.ts'
import type { StalledJobs } from './stalled-jobs.ts'
import type { NextJob } from './take-job.ts'

/** The options of a worker, with the defaults of BullMQ. Queues have none of them. Workers of this service have no rate limit. */
type WorkerOptions = QueueBaseOptions & { lockDuration?: number; maxStalledCount?: number; name?: string }

interface Context {
  connections: PgQueryable
  notifications: JobNotifications
  stalledJobs: StalledJobs
  opts: WorkerOptions
}

const stalledText = 'SELECT id FROM move_stalled_jobs_to_wait($1, $2, $3, 0) AS stalled (id)'

const lastPlaceText =
  "UPDATE job SET seq = nextval('job_seq') WHERE queue = $1 AND id = $2 AND state = 'active' AND lock_token = $3"

/**
 * Replaces the operations of a worker for which BullMQ needs a connection for each queue, or several statements. A worker takes a job with one
 * statement, which also tells what it would find next. It looks again after a notification that was not counted when that statement began.
 */
export function workerOperations(backend: PostgresQueueBackend, context: Context) {
  const { connections, stalledJobs, opts } = context
  const queue = backend.qualifiedName
  const lockMs = opts.lockDuration ?? 30_000
  const { moveToCompleted, moveToDelayed, moveToFailed } = backend
  const looks = createLooks(queue, context.notifications)
  const takerOf = (token: string): PostgresTaker => ({ queue, token, lockMs, name: opts.name })
  const take = (token: string) => looks.look(() => takePostgresJob(connections, takerOf(token)))
  const findStalled = async () => {
    const { rows } = await connections.query<{ id: string }>(stalledText, [
      queue,
      opts.maxStalledCount ?? 1,
      Date.now(),
    ])
    return rows.map(({ id }) => id)
  }
  return {
    // The backend also calls it to take a job after it delayed another one.
    moveToActive: async (token: string) => looks.emptyLook() ?? take(token),
    async moveToCompleted(...[job, result, keep, token, takesNext]: Parameters<typeof moveToCompleted>) {
      const complete = () => moveToCompleted.call(backend, job, result, keep, token, false)
      if (!takesNext) return complete()
      if (keep !== true) return { ...(await complete()), result: await take(token) }
      const finishedOn = Date.now()
      const done = { id: job.id, result, finishedOn }
      try {
        return { result: await looks.look(() => completePostgresJob(connections, takerOf(token), done)), finishedOn }
      } catch (error) {
        // The worker lost the lock. BullMQ reports it in its own words.
        if (codeOf(error) === 'BM001') return complete()
        throw error
      }
    },
    async moveToFailed(...[job, reason, keep, token, takesNext, fields]: Parameters<typeof moveToFailed>) {
      const failed = await moveToFailed.call(backend, job, reason, keep, token, false, fields)
      return takesNext ? { ...failed, result: await take(token) } : failed
    },
    /** A delayed job runs after those that waited before, as with Redis. BullMQ would return it to its place before them. */
    async moveToDelayed(...args: Parameters<typeof moveToDelayed>) {
      const [id, , , token] = args
      await connections.query(lastPlaceText, [queue, id, token ?? ''])
      return moveToDelayed.call(backend, ...args)
    },
    /** A job is marked before it is moved to the waiting ones. BullMQ does both in two searches, and this one has found an expired lock. */
    async moveStalledJobsToWait() {
      if (!(await stalledJobs.isAny(queue, lockMs))) return []
      return [...(await findStalled()), ...(await findStalled())]
    },
    // The statement that takes a job adds the next one.
    updateJobSchedulerNextMillis: async () => null,
    ...waitOperations(queue, looks),
  } satisfies Partial<PostgresQueueBackend>
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

type Looks = ReturnType<typeof createLooks>

/** A worker relies on a look for this time, because a notification can be lost. */
const reliableMs = 1_000

/** Remembers the last look of a worker that left no job. Looks of the same worker overlap. */
function createLooks(queue: string, notifications: JobNotifications) {
  let last: { counted: number; dueAt: number | undefined; at: number } | undefined
  return {
    async look(operation: () => Promise<Look>): Promise<NextJob> {
      const counted = notifications.count(queue)
      const at = performance.now()
      const { next, dueAt, isMore } = await operation()
      last = isMore ? undefined : { counted, dueAt, at }
      return next
    },
    /** Returns the result of a look if it certainly finds no job. */
    emptyLook(): NextJob | undefined {
      if (!last || !notifications.isListening() || notifications.count(queue) !== last.counted) return undefined
      const { dueAt, at } = last
      if (performance.now() - at > reliableMs || (dueAt !== undefined && dueAt <= Date.now())) return undefined
      return [null, '', 0, dueAt ?? 0]
    },
    async wait(timeoutMs: number, cancelled: AbortSignal): Promise<boolean> {
      const isNotified = await notifications.waitForOther(queue, last?.counted ?? -1, timeoutMs, cancelled)
      last = undefined
      return isNotified
    },
  }
}

function waitOperations(queue: string, looks: Looks) {
  let cancellation = new AbortController()
  return {
    waitUntilReady: async () => undefined,
    async waitForJob(timeoutSeconds: number) {
      return (await looks.wait(timeoutSeconds * 1_000, cancellation.signal)) ? { member: queue, score: 0 } : null
    },
    disconnectBlocking: async () => cancellation.abort(),
    async reconnectBlocking() {
      cancellation = new AbortController()
    },
  } satisfies Partial<PostgresQueueBackend>
}
