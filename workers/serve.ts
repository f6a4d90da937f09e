import { DelayedError, type Job, UnrecoverableError, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { findProblem, Problem, toWireProblem } from '../shared/errors.ts'
import { queuePrefix } from '../shared/jobs/bus.ts'
import { type QueueName, RetryLater } from '../shared/jobs/definition.ts'
import { definitionOf, isJobName } from '../shared/jobs/registry.ts'
import type { JobData } from '../shared/jobs/sender.ts'
import { type Log, withoutParameters } from '../shared/log.ts'
import type { Secrets } from '../shared/secrets.ts'
import { createThrottledLog } from '../shared/throttled-log.ts'
import { backOffOnRedisErrors } from './back-off.ts'
import type { Attempt } from './handlers.ts'
import { openPayload, reply, resultOf } from './job-content.ts'
import { type JobOutcome, jobDuration } from './metrics.ts'

/** Thrown by a handler to put the job back for a while without counting an attempt. */
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
  log: Log
  concurrency: number
  /** How soon another worker takes over a job whose worker died. */
  takeoverMs: number
}

/** How long a job that this version does not know is left to others; one that repeats comes again by itself. */
const unknownForMs = 24 * 3_600_000
const unknownRepeatedForMs = 60_000
const longestPauseMs = 30_000
/** In an outage; shorter than the shortest usual deadline of those who wait. */
const awaitedForMs = 4_000

const outage = 'a job could not run: a dependency is unavailable'
const unknownJob = 'this version does not know the job: it waits for a worker of another version'

type Tell = (kind: string, fields: { err?: unknown; queue: QueueName; job: string; jobId: string | undefined }) => void

interface Run {
  job: Job<JobData>
  /** Of the lock. */
  token: string | undefined
  options: ServeOptions
  /** Logs an outage of a dependency, with `err`, or a job that this version does not know. */
  tell: Tell
}

/** Runs one queue's handlers: opens sealed payloads, answers who waits, translates problems and retries. */
export function serveQueue(options: ServeOptions): Worker {
  const { queue, handlers, log } = options
  const tell: Tell = createThrottledLog((fields) => log.warn(fields, fields.err === undefined ? unknownJob : outage))
  const worker = new Worker<JobData>(queue, (job, token) => run({ job, token, options, tell }), {
    connection: options.connection,
    prefix: queuePrefix(options.prefix, queue),
    concurrency: options.concurrency,
    lockDuration: options.takeoverMs,
    stalledInterval: Math.ceil(options.takeoverMs / 3),
    maxStalledCount: 100, // a death is not the job's fault; every handler is idempotent
    skipVersionCheck: true,
    settings: { backoffStrategy },
  })
  backOffOnRedisErrors(worker, queue, log)
  worker.on('failed', (job, err) => {
    if (err instanceof UnrecoverableError || err instanceof RetryLater) return
    log.error({ err, queue, job: job?.name, jobId: job?.id, attempt: job?.attemptsMade }, 'a job failed')
  })
  for (const name of Object.keys(handlers)) if (!isJobName(name)) throw new Error(`no job ${name} in the registry`)
  return worker
}

async function run({ job, token, options, tell }: Run): Promise<void> {
  const handler = options.handlers[job.name]
  if (!handler || !isJobName(job.name)) return leaveToOthers({ job, token, options, tell })
  const { attempts } = definitionOf(job.name)
  const waiting = { id: job.id, replyTo: job.data.replyTo }
  const number = job.attemptsMade + 1
  const attempt = {
    number,
    isLast: number >= attempts,
    isRepeated: job.attemptsStarted > 1,
    starts: job.attemptsStarted,
    interruptedStarts: job.stalledCounter,
  }
  const startedAt = performance.now()
  const stop = (outcome: JobOutcome) =>
    jobDuration.observe({ queue: options.queue, job: job.name, outcome }, (performance.now() - startedAt) / 1000)
  try {
    const returned = await handler(openPayload(job.name, job.data, options.secrets), attempt)
    await reply(options.replies, waiting, { result: resultOf(job.name, returned, options.secrets) })
    stop('done')
  } catch (thrown) {
    const error = findProblem(thrown) ?? thrown
    const pauseMs = pauseOf(error, job)
    stop(pauseMs === undefined ? 'failed' : 'postponed')
    if (isOutage(error)) tell(job.name, { err: error, queue: options.queue, job: job.name, jobId: job.id })
    if (pauseMs !== undefined) await postpone(job, token, pauseMs)
    if (error instanceof Problem) {
      const fields = { err: error, queue: options.queue, job: job.name, jobId: job.id }
      if (!job.data.replyTo && !isOutage(error)) options.log.error(fields, 'a job was refused')
      await reply(options.replies, waiting, { problem: toWireProblem(error) })
      throw new UnrecoverableError(error.code)
    }
    if (attempt.isLast) {
      const message = 'Something went wrong on our side'
      await reply(options.replies, waiting, { problem: { problem: 'internal', message } })
    }
    throw error instanceof RetryLater ? error : withoutValues(error)
  }
}

/** BullMQ keeps message and stack in Redis, in clear also for sealed jobs: they say no more than the log does. */
function withoutValues(cause: unknown): Error {
  return new Error(withoutParameters(cause instanceof Error ? cause.message : String(cause)), { cause })
}

/** Something that the job needs is away, or had to break off: the job did nothing wrong, and can be tried again. */
function isOutage(error: unknown): boolean {
  return error instanceof Problem && error.problem === 'service_unavailable'
}

/**
 * How long the job is put back without an attempt being counted: as it asked, or in an outage. Who waits for it is told of
 * the outage before the deadline, and a job that repeats, or that another one asks for, comes again by itself.
 */
function pauseOf(error: unknown, job: Job<JobData>): number | undefined {
  if (error instanceof Postpone) return error.delayMs
  const isAwaited = job.data.replyTo !== undefined && Date.now() - job.timestamp > awaitedForMs
  const comesAgain = job.repeatJobKey !== undefined || (isJobName(job.name) && definitionOf(job.name).isQueuedByScan)
  if (!isOutage(error) || isAwaited || comesAgain) return undefined
  return growingPauseMs(job)
}

/**
 * A job of another version, which is being rolled out or back: a worker of that one takes it, sooner or later. One that
 * nobody took for a day has failed, and one that repeats after a minute.
 */
async function leaveToOthers({ job, token, options: { queue, log }, tell }: Run): Promise<void> {
  const fields = { queue, job: job.name, jobId: job.id }
  if (Date.now() - job.timestamp > (job.repeatJobKey ? unknownRepeatedForMs : unknownForMs)) {
    log.error(fields, 'a job that this version does not know was given up')
    throw new UnrecoverableError(`no handler for ${job.name}`)
  }
  tell(job.name, fields)
  await postpone(job, token, growingPauseMs(job))
}

/** Doubles each time that the job is taken, from the third of a second. */
function growingPauseMs({ attemptsStarted }: Job<JobData>): number {
  return Math.min(longestPauseMs, 150 * 2 ** Math.min(attemptsStarted, 10))
}

async function postpone(job: Job<JobData>, token: string | undefined, pauseMs: number): Promise<never> {
  await job.moveToDelayed(Date.now() + pauseMs, token)
  throw new DelayedError()
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
