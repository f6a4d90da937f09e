import type { Clock } from '../../shared/clock.ts'
import { findProblem, Problem } from '../../shared/errors/errors.ts'
import { RetryLater } from '../../shared/jobs/definition.ts'
import { definitionOf, type JobName } from '../../shared/jobs/registry.ts'
import type { Attempt } from '../../workers/jobs/handlers.ts'
import { Postpone } from '../../workers/serve.ts'
import type { MemoryQueue, QueuedJob } from './memory-queue.ts'
import type { StatementFaults } from './statement-faults.ts'

export type HandlerOf = (name: JobName) => (payload: never, attempt: Attempt) => Promise<unknown>

export interface JobRunnerOptions {
  clock: Clock
  queue: MemoryQueue
  faults: StatementFaults
  handlerOf: HandlerOf
  /** Called with each job and its outcome. */
  onJob(name: JobName, outcome: 'done' | 'failed' | 'again', error?: unknown): void
}

export interface JobRunner {
  /** Runs queued jobs until none can start or the process is dead. */
  drain(): Promise<void>
  /** Runs a job for a caller that waits. Throws the problem of the last attempt. */
  call(name: JobName, payload: unknown): Promise<unknown>
}

/** A job that repeats at once more often than this does not end. */
const maxStarts = 40

/** Runs jobs one at a time, with the rules of workers/serve.ts for retries. */
export function createJobRunner({ clock, queue, faults, handlerOf, onJob }: JobRunnerOptions): JobRunner {
  async function start(job: QueuedJob): Promise<unknown> {
    job.starts++
    if (job.starts > maxStarts) throw new Error(`The job ${job.name} was started ${maxStarts} times.`)
    const { attempts } = definitionOf(job.name)
    const number = job.failures + 1
    const attempt = {
      ...{ number, isLast: number >= attempts, isRepeated: job.starts > 1 },
      ...{ starts: job.starts, interruptedStarts: job.interruptions },
    }
    // Boundary: the registry types the payload of each job.
    return handlerOf(job.name)(job.payload as never, attempt)
  }

  /** Queues the job again, or returns that it failed for good. */
  function retry(job: QueuedJob, thrown: unknown): 'failed' | 'again' {
    if (faults.isDead()) {
      queue.add({ ...job, interruptions: job.interruptions + 1 })
      return 'again'
    }
    const error = findProblem(thrown) ?? thrown
    const isOutage = error instanceof Problem && error.problem === 'service_unavailable'
    const isRequestedAgain = job.isScheduled || definitionOf(job.name).isQueuedByScan
    const at = (delayMs: number) => clock.now().getTime() + delayMs
    if (error instanceof Postpone || (isOutage && !isRequestedAgain)) {
      queue.add({ ...job, startsAt: error instanceof Postpone ? at(error.delayMs) : 0 })
      return 'again'
    }
    const failures = job.failures + 1
    if (error instanceof Problem || failures >= definitionOf(job.name).attempts) return 'failed'
    queue.add({ ...job, failures, startsAt: error instanceof RetryLater ? at(error.delayMs) : 0 })
    return 'again'
  }

  return {
    async drain() {
      for (let job = queue.take(); job && !faults.isDead(); job = queue.take()) {
        try {
          await start(job)
          onJob(job.name, 'done')
        } catch (error) {
          onJob(job.name, retry(job, error), error)
        }
      }
    },
    async call(name, payload) {
      const { attempts } = definitionOf(name)
      const job = { id: '', name, payload, priority: 0, isScheduled: false, startsAt: 0 }
      for (let failures = 0; ; failures++) {
        try {
          const result = await start({ ...job, failures, starts: failures, interruptions: 0 })
          onJob(name, 'done')
          return result
        } catch (error) {
          const isLast = failures + 1 >= attempts
          onJob(name, isLast ? 'failed' : 'again', error)
          const problem = findProblem(error)
          if (problem) throw problem
          if (isLast || faults.isDead()) throw new Problem('internal')
        }
      }
    },
  }
}
