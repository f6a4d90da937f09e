import type { Database } from '../db/client.ts'
import type { Clock } from '../shared/clock.ts'
import type { Bus } from '../shared/jobs/bus.ts'
import type { QueueName } from '../shared/jobs/definition.ts'
import type { JobsOf, Payload, Result } from '../shared/jobs/registry.ts'
import type { Log } from '../shared/log.ts'

/** What every handler can use. A queue that needs more takes it when its handlers are made. */
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
  /** The job was begun before: by a worker that died, or in an attempt that failed. */
  isRepeated: boolean
  /** How often the job was started, this start included. */
  starts: number
  /** How many of the earlier starts ended with their worker and left no result. */
  interruptedStarts: number
}

export type Handlers<Queue extends QueueName> = {
  [Name in JobsOf<Queue>]: (payload: Payload<Name>, attempt: Attempt) => Promise<Result<Name>>
}

/** The handlers of one queue: a missing or a foreign job does not compile. */
export function handlersFor<Queue extends QueueName>(_queue: Queue, handlers: Handlers<Queue>): Handlers<Queue> {
  return handlers
}
