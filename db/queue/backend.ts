import { EventEmitter } from 'node:events'
import type { BackendFactory, IQueueBackend, JobJson, QueueBaseOptions } from 'bullmq'
import type { Database } from '../client.ts'
import { addedJob, addJob } from './add-jobs.ts'
import {
  cleanJobs,
  hasMeta,
  obliterateQueue,
  pauseQueue,
  promoteJob,
  refuseSettings,
  removeJob,
} from './change-queue.ts'
import { finishJob, retryJob } from './finish-job.ts'
import { extendLock, hasStalledJobs, queueStalledJobs } from './locks.ts'
import { countJobs, findJob, findState, listJobs } from './read-jobs.ts'
import { type Refused, refused } from './refused-operations.ts'
import { listSchedulers, putScheduler, readScheduler, removeScheduler } from './schedulers.ts'
import { createQueueSignals, type QueueSignals } from './signals.ts'
import { openQueueStore, type QueueStore, type Statements } from './store.ts'
import { canStart, findReady, type NextJob, noJob, takeJob } from './take-job.ts'

/** The options of a worker, with the defaults of BullMQ. Queues have none of them. */
type WorkerOptions = QueueBaseOptions & { lockDuration?: number; maxStalledCount?: number; name?: string }

/** The parts that the operations of a queue use. */
interface Context {
  store: QueueStore
  /** Changes the queue, and wakes its workers if a job can start. */
  change<Result>(work: (statements: Statements, now: number) => Result): Promise<Result>
  /** Takes the next job with the token of a worker. */
  take(statements: Statements, now: number, token: string): NextJob
  opts: WorkerOptions
}

/**
 * Returns a factory of queues in the tables `queue_jobs`, `queue_meta` and `queue_schedulers` of a SQLite database, for the constructors of
 * BullMQ. All processes that open the database use the same queues. An operation that this service does not use throws an error with its
 * name. Call it once for a database: its queues share one timer. While the database is busy or full, operations throw `DatabaseUnavailable`.
 */
export function createSqliteBackend(db: Database, signals: QueueSignals = createQueueSignals(db)): BackendFactory {
  return (queue, opts) => {
    const store = openQueueStore(db, queue)
    const options: WorkerOptions = opts
    const context: Context = {
      store,
      opts: options,
      async change(work) {
        const result = await store.write(work)
        signals.changed(queue)
        return result
      },
      take: (statements, now, token) =>
        takeJob(statements, queue, now, { token, lockMs: options.lockDuration ?? 30_000, name: options.name }),
    }
    const wait = (timeoutMs: number, cancelled: AbortSignal) => signals.waitForJob(queue, timeoutMs, cancelled)
    const operations = {
      ...refused,
      ...addOperations(context),
      ...workerOperations(context),
      ...schedulerOperations(context),
      ...queueOperations(context),
    } satisfies Operations & Refused
    return Object.assign(new EventEmitter(), operations, connectionOf(queue, wait)) as unknown as IQueueBackend
  }
}

type Connection = Pick<
  IQueueBackend,
  | 'waitUntilReady'
  | 'disconnect'
  | 'setName'
  | 'minimumBlockTimeout'
  | 'maximumBlockTimeout'
  | 'qualifiedName'
  | 'keys'
  | 'toKey'
  | 'clientName'
  | 'waitForJob'
  | 'disconnectBlocking'
  | 'reconnectBlocking'
> & { closing: Promise<void> | undefined; close(): Promise<void> }

type Operations = Omit<IQueueBackend, keyof Connection | 'on' | 'once' | 'removeListener'>

/** The database belongs to the process, so a queue closes nothing but its own waits. */
function connectionOf(
  queue: string,
  wait: (timeoutMs: number, cancelled: AbortSignal) => Promise<boolean>,
): Connection {
  let cancellation = new AbortController()
  const cancel = async () => cancellation.abort()
  return {
    waitUntilReady: async () => undefined,
    disconnect: cancel,
    setName: async () => undefined,
    minimumBlockTimeout: 0.001,
    maximumBlockTimeout: 10,
    qualifiedName: queue,
    keys: {},
    toKey: (type) => `${queue}:${type}`,
    clientName: (suffix = '') => `${queue}${suffix}`,
    closing: undefined,
    async close() {
      this.closing ??= cancel()
      await this.closing
    },
    async waitForJob(timeoutSeconds) {
      const { signal } = cancellation
      return (await wait(timeoutSeconds * 1000, signal)) ? { member: queue, score: 0 } : null
    },
    disconnectBlocking: cancel,
    async reconnectBlocking() {
      if (!this.closing) cancellation = new AbortController()
    },
  } as Connection
}

function addOperations({ store: { queue }, change }: Context) {
  const add = (statements: Statements, job: JobJson, jobId: string) => {
    const added = addedJob(job, jobId)
    addJob(statements, queue, added)
    return added.id
  }
  return {
    addJob: (job, jobId) => change((statements) => add(statements, job, jobId)),
    addJobs: (entries) => change((statements) => entries.map(({ job, jobId }) => add(statements, job, jobId))),
  } satisfies Partial<IQueueBackend>
}

function workerOperations({ store, change, take, opts }: Context) {
  const { queue } = store
  const lockOf = (id: string | undefined, token = '') => ({ queue, id: id ?? '', token })
  const extended = (statements: Statements, id: string, token: string, until: number) =>
    extendLock(statements, lockOf(id, token), until)
  return {
    async moveToActive(token) {
      const ready = store.read((statements) => findReady(statements, queue))
      if (!canStart(ready, Date.now())) return noJob(ready)
      return change((statements, now) => take(statements, now, token))
    },
    moveToCompleted: (job, value, keep, token, takesNext) =>
      change((statements, now) => {
        const result = JSON.stringify(value ?? null)
        finishJob(statements, lockOf(job.id, token), now, { state: 'completed', keep, result })
        return { result: takesNext ? take(statements, now, token) : undefined, finishedOn: now }
      }),
    moveToFailed: (job, failure, keep, token, takesNext, fields) =>
      change((statements, now) => {
        const { stacktrace } = fields ?? {}
        finishJob(statements, lockOf(job.id, token), now, { state: 'failed', keep, failure, stacktrace })
        return { result: takesNext ? take(statements, now, token) : undefined, finishedOn: now }
      }),
    moveToDelayed: (
      id,
      at,
      delayMs,
      token = '',
      { skipAttempt = false, fieldsToUpdate = {}, fetchNext = false } = {},
    ) =>
      change((statements, now) => {
        const { failedReason: failure, stacktrace } = fieldsToUpdate
        const retry = { delayMs, dueAt: at + delayMs, countsAttempt: !skipAttempt, failure, stacktrace }
        retryJob(statements, lockOf(id, token), retry)
        return fetchNext ? take(statements, now, token) : undefined
      }),
    retryJob: (id, _lifo, token, { fieldsToUpdate = {} } = {}) =>
      change((statements, now) => {
        const { failedReason: failure, stacktrace } = fieldsToUpdate
        const retry = { delayMs: 0, dueAt: now, countsAttempt: true, failure, stacktrace }
        retryJob(statements, lockOf(id, token), retry)
      }),
    async moveStalledJobsToWait() {
      if (!store.read((statements) => hasStalledJobs(statements, queue, Date.now()))) return []
      return change((statements, now) => queueStalledJobs(statements, queue, now, opts.maxStalledCount ?? 1))
    },
    extendLock: (id, token, durationMs) =>
      change((statements, now) => (extended(statements, id, token, now + durationMs) ? 1 : 0)),
    extendLocks: (ids, tokens, durationMs) =>
      change((statements, now) =>
        ids.filter((id, index) => !extended(statements, id, tokens[index] ?? '', now + durationMs)),
      ),
  } satisfies Partial<IQueueBackend>
}

function schedulerOperations({ store, change }: Context) {
  const { queue, read } = store
  const find = (id: string) => read((statements) => readScheduler(statements, { queue, id }))
  return {
    addJobScheduler: (id, _next, data, templateOptions, repeat, jobOptions) =>
      change((statements, now) =>
        putScheduler(statements, { queue, id }, { data, templateOptions, repeat, jobOptions }, now),
      ),
    // The transaction that takes a job adds the next one.
    updateJobSchedulerNextMillis: async () => null,
    removeJobScheduler: (id) => change((statements) => (removeScheduler(statements, { queue, id }) ? 0 : 1)),
    async getJobScheduler(id): Promise<[string[] | null, string | null]> {
      const scheduler = find(id)
      return scheduler ? [Object.entries(scheduler.fields).flat(), String(scheduler.next)] : [null, null]
    },
    isJobScheduler: async (id) => find(id) !== undefined,
    getJobSchedulerData: async (id) => find(id)?.fields ?? {},
    getJobSchedulersRange: async (start, end, asc) =>
      read((statements) => listSchedulers(statements, queue, { start, end, asc })).flatMap(({ id, next_at }) => [
        id,
        String(next_at),
      ]),
  } satisfies Partial<IQueueBackend>
}

function queueOperations({ store, change }: Context) {
  const { queue, read } = store
  return {
    getJobData: async (id) => read((statements) => findJob(statements, queue, id)),
    getState: async (id) => read((statements) => findState(statements, queue, id)),
    getCounts: async (types) => read((statements) => countJobs(statements, queue, types)),
    getRanges: async (types, start = 0, end = -1, asc = false) =>
      // Boundary: BullMQ types a list of ids as a tuple.
      read((statements) => listJobs(statements, queue, types, { start, end, asc })) as [string][],
    promote: (id) =>
      change((statements) => {
        if (!promoteJob(statements, queue, id)) throw new Error(`Job ${id} is not in the delayed state. promote`)
      }),
    remove: (id) => change((statements) => (removeJob(statements, queue, id) ? 1 : 0)),
    cleanJobsByState: (state, before, limit = 0) =>
      change((statements) => cleanJobs(statements, queue, { state, before, limit })),
    obliterate: (options) => change((statements) => (obliterateQueue(statements, queue, options) ? 0 : 1)),
    pause: (isPaused) => change((statements) => pauseQueue(statements, queue, isPaused)),
    async setQueueMeta(settings) {
      refuseSettings(settings)
      return 0
    },
    hasQueueMetaField: async (field) => read((statements) => hasMeta(statements, queue, field)),
  } satisfies Partial<IQueueBackend>
}
