import { DelayedError, type Job, UnrecoverableError, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { DatabaseUnavailable } from '../db/unavailable.ts'
import { findProblem, Problem, toWireProblem, type WireProblem } from '../shared/errors.ts'
import { type JobData, queuePrefix } from '../shared/jobs/bus.ts'
import type { Reply } from '../shared/jobs/completions.ts'
import type { JobDurations, JobLabels } from '../shared/jobs/durations.ts'
import { definitionOf, isJobName, type QueueName, RetryLater } from '../shared/jobs/registry.ts'
import type { Log } from '../shared/log.ts'
import type { Secrets } from '../shared/secrets.ts'
import type { Attempt } from './handlers.ts'

/** Thrown by a handler to put the job back for a while without counting an attempt (fairness between tenants). */
export class Postpone extends Error {
  readonly delayMs: number

  constructor(delayMs: number) {
    super('postponed')
    this.delayMs = delayMs
  }
}

export interface ServeOptions {
  queue: QueueName
  // The registry's types hold between the handlers and the bus; here a job is only its name and data.
  handlers: Record<string, (payload: never, attempt: Attempt) => Promise<unknown>>
  connection: Redis
  replies: Redis
  prefix: string
  secrets: Secrets
  durations: JobDurations
  log: Log
  concurrency: number
  /** How soon another worker takes over a job whose worker died. */
  takeoverMs: number
}

/** Runs one queue's handlers: opens sealed payloads, answers who waits, translates problems and retries. */
export function serveQueue(options: ServeOptions): Worker {
  const { queue, handlers, log } = options
  const worker = new Worker<JobData>(queue, (job, token) => run(job, token, options), {
    connection: options.connection,
    prefix: queuePrefix(options.prefix, queue),
    concurrency: options.concurrency,
    lockDuration: options.takeoverMs,
    stalledInterval: Math.ceil(options.takeoverMs / 3),
    maxStalledCount: 100, // a death is not the job's fault; every handler is idempotent
    skipVersionCheck: true,
    settings: { backoffStrategy },
  })
  worker.on('error', (err) => log.warn({ err, queue }, 'the queue is out of reach'))
  worker.on('failed', (job, err) => {
    if (err instanceof UnrecoverableError || err instanceof RetryLater) return
    log.error({ err, queue, job: job?.name, jobId: job?.id, attempt: job?.attemptsMade }, 'a job failed')
  })
  for (const name of Object.keys(handlers)) if (!isJobName(name)) throw new Error(`no job ${name} in the registry`)
  return worker
}

async function run(job: Job<JobData>, token: string | undefined, options: ServeOptions): Promise<void> {
  const handler = options.handlers[job.name]
  if (!handler || !isJobName(job.name)) throw new UnrecoverableError(`no handler for ${job.name}`)
  const { sealed, attempts } = definitionOf(job.name)
  const attempt = { number: job.attemptsMade + 1, isLast: job.attemptsMade + 1 >= attempts }
  const startedAt = performance.now()
  const stop = (outcome: JobLabels['outcome']) =>
    options.durations.observe({ queue: options.queue, job: job.name, outcome }, (performance.now() - startedAt) / 1000)
  try {
    // Boundary: the bus typed the payload when it was sent.
    const payload = (
      sealed ? JSON.parse(options.secrets.open(String(job.data.payload), job.name)) : job.data.payload
    ) as never
    const result = JSON.stringify((await handler(payload, attempt)) ?? null)
    await reply(options.replies, job, { result: sealed ? options.secrets.seal(result, job.name) : result })
    stop('done')
  } catch (thrown) {
    const error = postponedBy(thrown, job, options.log)
    stop(error instanceof Postpone ? 'postponed' : 'failed')
    if (error instanceof Postpone) {
      await job.moveToDelayed(Date.now() + error.delayMs, token)
      throw new DelayedError()
    }
    if (error instanceof Problem) {
      await reply(options.replies, job, { problem: toWireProblem(error) })
      throw new UnrecoverableError(error.code)
    }
    if (attempt.isLast)
      await reply(options.replies, job, {
        problem: { problem: 'internal', message: 'Something went wrong on our side' },
      })
    throw error
  }
}

const untilDatabaseIsBackMs = 2_000

/** While the database is away no attempts are used up: the job waits for it. */
function postponedBy(thrown: unknown, { name, id }: Job, log: Log): unknown {
  const problem = findProblem(thrown)
  if (!(problem instanceof DatabaseUnavailable)) return problem ?? thrown
  log.warn({ err: problem, job: name, jobId: id }, 'a job waits for the database')
  return new Postpone(untilDatabaseIsBackMs)
}

async function reply(
  redis: Redis,
  job: Job<JobData>,
  outcome: { result: string } | { problem: WireProblem },
): Promise<void> {
  if (!job.data.replyTo || !job.id) return
  const message: Reply = { id: job.id, ...outcome }
  await redis.publish(job.data.replyTo, JSON.stringify(message))
}

/** `RetryLater` says when; otherwise the pause doubles from the job's `backoffMs`. */
function backoffStrategy(
  attemptsMade: number,
  _type?: string,
  error?: Error,
  job?: { opts: { backoff?: unknown } },
): number {
  if (error instanceof RetryLater) return error.delayMs
  const backoff = job?.opts.backoff
  const first = typeof backoff === 'object' && backoff && 'delay' in backoff ? Number(backoff.delay) : 1000
  return first * 2 ** Math.min(attemptsMade - 1, 10)
}
