import type { WireProblem } from '../errors/errors.ts'
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
  attempts: number
  /** The pause after the first failed attempt. It doubles with each attempt, unless the handler throws `RetryLater`. */
  backoffMs: number
  /** Runs the job on this schedule. Missed runs are not repeated, because the handler queries the data for what is due. */
  everyMs?: number
  /**
   * Encrypts payload and result. Other job data is clear text. A job that has failed for good is removed from the queue, because its content
   * is personal and its caller has the problem.
   */
  sealed?: boolean
  /** Limits of the signing queue (signing-queue.ts), which collects the items of several callers. The payload is `{items}`. */
  signingQueue?: SigningQueueLimits
  /** Maximum items of a job from the outbox. The relay collects rows with one item each. The payload is `{items}`. */
  batch?: number
  /**
   * Keeps the outbox rows of the job until its handler removes them, in the transaction that does the work. For jobs that nothing
   * queues again if Redis loses them.
   */
  keptUntilDone?: boolean
  /** Removes a job that has failed for good from the queue, so that its id can be used again. */
  forgetFailures?: boolean
  /** Ends the job in an outage, instead of retrying it with growing pauses: a scan of due rows queues it again within seconds. */
  isQueuedByScan?: true
}

/** Limits of a signing queue. */
export interface SigningQueueLimits extends FairQueueLimits {
  /**
   * Maximum items of one tenant in a job while several tenants are active. Then tenants with a single waiting item share a job without the
   * others, the last free job is for a tenant without a running job, and such a tenant does not wait for a job to fill. Default: a job has
   * items of all tenants.
   */
  maxItemsBesideOthers?: number
  /** Maximum jobs of one process that run at the same time. */
  maxJobs: number
  /** While a job runs, the next one collects items for this time, or until it is full. */
  fillMs: number
  /** The time for which the first item waits for others while no job runs. Default: it is sent at once. */
  gatherMs?: number
  /** The same, but only if the last job had several items. */
  gatherAfterBatchMs?: number
}

/** The types of a job's payload and result. They do not exist at run time. */
export type Typed<Queue, Payload, Result> = JobDefinition & { queue: Queue; readonly types?: [Payload, Result] }

/** Takes two calls: the first has the types as arguments, the second infers the queue. */
export function job<Payload, Result = void>() {
  return <Queue extends QueueName>(definition: JobDefinition & { queue: Queue }): Typed<Queue, Payload, Result> =>
    definition
}

/** One outcome per item of a batch: its result, or the problem for its caller. */
export type Outcomes<Result> = { outcomes: ({ ok: Result } | { problem: WireProblem })[] }

/** The time that a failed job stays on its queue, in seconds. */
export const failuresKeptSeconds = 7 * 24 * 3600

/** A handler throws it to set the pause before the next attempt. */
export class RetryLater extends Error {
  readonly delayMs: number

  constructor(delayMs: number, message: string) {
    super(message)
    this.name = 'RetryLater'
    this.delayMs = delayMs
  }
}
