import { DelayedError, type Job, UnrecoverableError, type Worker } from 'bullmq'
import { findProblem, isOutage, Problem, toWireProblem } from '../shared/errors/errors.ts'
import type { Consumer } from '../shared/jobs/broker.ts'
import { type QueueName, RetryLater } from '../shared/jobs/definition.ts'
import type { JobData } from '../shared/jobs/job-data.ts'
import { definitionOf, isJobName } from '../shared/jobs/registry.ts'
import { type Log, withoutParameters } from '../shared/log/log.ts'
import { createThrottledLog } from '../shared/log/throttled-log.ts'
import type { Secrets } from '../shared/secrets/secrets.ts'
import { backOffOnErrors } from './jobs/back-off.ts'
import type { Attempt } from './jobs/handlers.ts'
import { openPayload, reply, resultOf } from './jobs/job-content.ts'
import { type JobOutcome, jobDuration } from './jobs/metrics.ts'
import { runHandler } from './jobs/run-handler.ts'

/** A handler throws this to delay its job without counting an attempt. */
export class Postpone extends Error {
  readonly delayMs: number

  constructor(delayMs: number) {
    super('postponed')
    this.delayMs = delayMs
  }
}

export interface ServeOptions {
  queue: QueueName
  // The types of the registry connect the handlers with the bus. Here a job is only a name and data.
  handlers: Record<string, (payload: never, attempt: Attempt) => Promise<unknown>>
  consumer: Consumer
  secrets: Secrets
  log: Log
  concurrency: number
  /** The time until another worker takes over the job of a worker that ended. */
  takeoverMs: number
}

/** The time after which a job that this version does not know fails. A scheduled job fails sooner, because its schedule repeats it. */
const unknownForMs = 24 * 3_600_000
const unknownScheduledForMs = 60_000
const maxPauseMs = 30_000
/** During an outage, the time for which a job with a waiting client is delayed. It is shorter than the usual deadlines of clients. */
const awaitedForMs = 4_000

const outage = 'job postponed, a dependency is unavailable'
const unknownJob = 'job of another version postponed'

type LogDelay = (
  kind: string,
  fields: { err?: unknown; queue: QueueName; job: string; jobId: string | undefined },
) => void

interface Run {
  job: Job<JobData>
  /** The token of the lock. */
  token: string | undefined
  options: ServeOptions
  /** Logs an outage of a dependency, with `err`, or a job that this version does not know. */
  logDelay: LogDelay
}

/** Runs the handlers of one queue: opens sealed payloads, sends replies, translates problems and retries. */
export function serveQueue(options: ServeOptions): Worker {
  const { queue, handlers, consumer, log } = options
  const logDelay: LogDelay = createThrottledLog((fields) =>
    log.warn(fields, fields.err === undefined ? unknownJob : outage),
  )
  const worker = consumer.createWorker((job, token) => run({ job, token, options, logDelay }), {
    concurrency: options.concurrency,
    lockDuration: options.takeoverMs,
    stalledInterval: Math.ceil(options.takeoverMs / 3),
    maxStalledCount: 100, // a job does not fail because its worker ended: every handler is idempotent
    settings: { backoffStrategy },
  })
  backOffOnErrors(worker, queue, log)
  worker.on('failed', (job, err) => {
    if (err instanceof UnrecoverableError || err instanceof RetryLater) return
    log.error({ err, queue, job: job?.name, jobId: job?.id, attempt: job?.attemptsMade }, 'job failed')
  })
  for (const name of Object.keys(handlers)) if (!isJobName(name)) throw new Error(`no job ${name} in the registry`)
  return worker
}

async function run({ job, token, options, logDelay }: Run): Promise<void> {
  const handler = options.handlers[job.name]
  if (!handler || !isJobName(job.name)) return postponeUnknown({ job, token, options, logDelay })
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
  const observeDuration = (outcome: JobOutcome) =>
    jobDuration.observe({ queue: options.queue, job: job.name, outcome }, (performance.now() - startedAt) / 1000)
  try {
    const payload = openPayload(job.name, job.data, options.secrets)
    const returned = await runHandler(handler, job.name, payload, attempt)
    await reply(options.consumer, waiting, { result: resultOf(job.name, returned, options.secrets) })
    observeDuration('done')
  } catch (thrown) {
    const error = findProblem(thrown) ?? thrown
    const pauseMs = pauseOf(error, job)
    observeDuration(pauseMs === undefined ? 'failed' : 'postponed')
    if (isOutage(error)) logDelay(job.name, { err: error, queue: options.queue, job: job.name, jobId: job.id })
    if (pauseMs !== undefined) await postpone(job, token, pauseMs)
    if (error instanceof Problem) {
      const fields = { err: error, queue: options.queue, job: job.name, jobId: job.id }
      if (!job.data.replyTo && !isOutage(error)) options.log.error(fields, 'job refused')
      await reply(options.consumer, waiting, { problem: toWireProblem(error) })
      throw new UnrecoverableError(error.code)
    }
    if (attempt.isLast) {
      const message = 'Something went wrong on our side'
      await reply(options.consumer, waiting, { problem: { problem: 'internal', message } })
    }
    throw error instanceof RetryLater ? error : withoutValues(error)
  }
}

/**
 * BullMQ stores message and stack of an error in clear, also for sealed jobs. They contain no more than the log. PostgreSQL stores no U+0000 and
 * no lone surrogates, which a message about the answer of another host can contain. The job would then not fail, but run again as interrupted.
 */
function withoutValues(cause: unknown): Error {
  const message = withoutParameters(cause instanceof Error ? cause.message : String(cause))
  return new Error(message.toWellFormed().replaceAll('\0', '\ufffd'), { cause })
}

/**
 * Returns for how long the job is delayed without counting an attempt, or undefined if it fails: as a handler demands, or during an outage.
 * A waiting client gets the outage as a reply before its deadline. A job that is scheduled or requested again fails.
 */
function pauseOf(error: unknown, job: Job<JobData>): number | undefined {
  if (error instanceof Postpone) return error.delayMs
  const isAwaited = job.data.replyTo !== undefined && Date.now() - job.timestamp > awaitedForMs
  const isRepeated = job.repeatJobKey !== undefined || (isJobName(job.name) && definitionOf(job.name).isQueuedByScan)
  if (!isOutage(error) || isAwaited || isRepeated) return undefined
  return growingPauseMs(job)
}

/**
 * Delays a job of another version, as during a rollout, so that a worker of that version can take it. The job fails after a day. A
 * scheduled job fails after a minute.
 */
async function postponeUnknown({ job, token, options: { queue, log }, logDelay }: Run): Promise<void> {
  const fields = { queue, job: job.name, jobId: job.id }
  if (Date.now() - job.timestamp > (job.repeatJobKey ? unknownScheduledForMs : unknownForMs)) {
    log.error(fields, 'job of another version failed, no worker took it in time')
    throw new UnrecoverableError(`no handler for ${job.name}`)
  }
  logDelay(job.name, fields)
  await postpone(job, token, growingPauseMs(job))
}

/** Starts at 300 ms and doubles with each start of the job. */
function growingPauseMs({ attemptsStarted }: Job<JobData>): number {
  return Math.min(maxPauseMs, 150 * 2 ** Math.min(attemptsStarted, 10))
}

async function postpone(job: Job<JobData>, token: string | undefined, pauseMs: number): Promise<never> {
  await job.moveToDelayed(Date.now() + pauseMs, token)
  throw new DelayedError()
}

/** Returns the pause of a `RetryLater`. Other pauses start at the job's `backoffMs` and double. */
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
