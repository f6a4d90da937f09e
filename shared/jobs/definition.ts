import type { WireProblem } from '../errors.ts'
import type { FairQueueLimits } from '../flow/fair-queue.ts'

export const queues = [
  'signing',
  'signing-bulk',
  'publishing',
  'integrations',
  'delivery',
  'analytics',
  'upkeep',
] as const
export type QueueName = (typeof queues)[number]

export interface JobDefinition {
  queue: QueueName
  /** How often the job is tried, and how long the first pause is; pauses double unless the handler says `RetryLater`. */
  attempts: number
  backoffMs: number
  /** Runs by itself this often. Missed runs are not made up: due-ness is a question to the data. */
  everyMs?: number
  /** Payload and result are encrypted on their way through Redis, where job data is clear text. */
  sealed?: boolean
  /** The payload is `{items}`, one item of each of several callers; how they are put together (signing-queue.ts). */
  lanes?: SigningQueueLimits
  /** The payload is `{items}`; outbox rows of one item each are sent together in jobs of at most this many. */
  batch?: number
  /**
   * Redis may lose a job that nothing else would ask for again. The outbox rows of such a one stay until its handler
   * removes them, in the transaction that does the work.
   */
  keptUntilDone?: boolean
  /** A job that has failed for good leaves nothing on the queue, so that its id can be used again. */
  forgetFailures?: boolean
  /**
   * Another job asks the data every few seconds whether this one is due. In an outage it ends, and does not wait for longer and
   * longer: it is queued again as soon as that is over.
   */
  isAskedForAgain?: true
}

/** How the requests for one job are kept in line. */
export interface SigningQueueLimits extends FairQueueLimits {
  /** Jobs of one process that are under way at once. */
  inFlight: number
  /** While a job is under way, the next one is filled for so long, unless it is full before. */
  fillMs: number
  /** How long the first of a job waits for company when no job is under way. By itself it goes at once. */
  gatherMs?: number
  /** The same, but only after a job of several: a request alone goes at once. */
  gatherInCompanyMs?: number
}

/** Carries the types of a job's payload and result; nothing of it exists at run time. */
export type Typed<Queue, Payload, Result> = JobDefinition & { queue: Queue; readonly types?: [Payload, Result] }

/** Two calls: the first is given the types, the second finds the queue out by itself. */
export function job<Payload, Result = void>() {
  return <Queue extends QueueName>(definition: JobDefinition & { queue: Queue }): Typed<Queue, Payload, Result> =>
    definition
}

/** One answer per item of a batch: its result, or the problem that its caller is told. */
export type Outcomes<Result> = { outcomes: ({ ok: Result } | { problem: WireProblem })[] }

/** How long a finished job's failure can be looked at, in seconds. */
export const failuresKeptSeconds = 7 * 24 * 3600

/** Thrown by a handler that knows when to be tried again. */
export class RetryLater extends Error {
  readonly delayMs: number

  constructor(delayMs: number, message: string) {
    super(message)
    this.name = 'RetryLater'
    this.delayMs = delayMs
  }
}
