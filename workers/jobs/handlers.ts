import type { Database } from '../../db/client.ts'
import type { Clock } from '../../shared/clock.ts'
import type { Bus } from '../../shared/jobs/bus.ts'
import type { QueueName } from '../../shared/jobs/definition.ts'
import type { JobsOf, Payload, Result } from '../../shared/jobs/registry.ts'
import type { Log } from '../../shared/log/log.ts'

/** The dependencies of every handler. A queue can require more of them. */
export interface WorkerDeps {
  db: Database
  bus: Bus
  clock: Clock
  log: Log
}

/** One attempt of a job. */
export interface Attempt {
  /** 1 for the first. */
  number: number
  isLast: boolean
  /** The job was started before, by a worker that ended or in an attempt that failed. */
  isRepeated: boolean
  /** The number of starts of the job, including this one. */
  starts: number
  /** The number of earlier starts that ended with their worker and without a result. */
  interruptedStarts: number
}

export type Handlers<Queue extends QueueName> = {
  [Name in JobsOf<Queue>]: (payload: Payload<Name>, attempt: Attempt) => Promise<Result<Name>>
}

/** Returns the handlers of one queue. A missing job, or a job of another queue, does not compile. */
export function handlersFor<Queue extends QueueName>(_queue: Queue, handlers: Handlers<Queue>): Handlers<Queue> {
  return handlers
}
