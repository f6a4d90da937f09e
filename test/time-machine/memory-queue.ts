import type { Clock } from '../../shared/clock.ts'
import type { JobName } from '../../shared/jobs/registry.ts'

export interface QueuedJob {
  id: string
  name: JobName
  payload: unknown
  /** The least is first. */
  priority: number
  /** Queued by the schedule of the registry. */
  isScheduled: boolean
  /** The job starts at this time at the earliest. */
  startsAt: number
  failures: number
  starts: number
  interruptions: number
}

/** A queue in memory with the rules of the queues in Redis: one job with an id at a time, the most urgent first. */
export interface MemoryQueue {
  /** Does nothing if a job with the id is queued. */
  add(job: Pick<QueuedJob, 'id' | 'name' | 'payload'> & Partial<QueuedJob>): void
  /** Removes and returns the next job that can start. */
  take(): QueuedJob | undefined
  /** Loses all jobs. */
  clear(): void
  size(): number
}

export function createMemoryQueue(clock: Clock): MemoryQueue {
  const jobs = new Map<string, QueuedJob>()
  const keyOf = ({ name, id }: Pick<QueuedJob, 'name' | 'id'>) => `${name} ${id}`

  return {
    add(job) {
      if (jobs.has(keyOf(job))) return
      const fresh = { priority: 0, isScheduled: false, startsAt: 0, failures: 0, starts: 0, interruptions: 0 }
      jobs.set(keyOf(job), { ...fresh, ...job })
    },
    take() {
      const now = clock.now().getTime()
      let next: QueuedJob | undefined
      for (const job of jobs.values()) if (job.startsAt <= now && (!next || job.priority < next.priority)) next = job
      if (next) jobs.delete(keyOf(next))
      return next
    },
    clear: () => jobs.clear(),
    size: () => jobs.size,
  }
}
