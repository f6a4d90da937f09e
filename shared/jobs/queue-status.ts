import type { Queue } from 'bullmq'
import { LRUCache } from 'lru-cache'
import { available } from './available.ts'
import { type QueueName, queues } from './definition.ts'
import type { RedisConnection } from './redis.ts'
import type { RedisListChannel } from './redis-list-channel.ts'
import type { WaitingEvents } from './waiting-events.ts'

type JobCounts = Record<string, number>

export interface QueueStatus {
  queue: QueueName
  /** Number of jobs by state. Entries of a list beside the queue count as `waiting`. */
  jobs: JobCounts
  /** When the oldest known waiting job could start. With priorities, only the first and the last job in line are looked at. */
  waitsSince: Date | undefined
  /** Number of processes that take jobs of the queue. Undefined if the broker does not list its clients. */
  workers: number | undefined
}

export interface QueueReports {
  /** Returns the number of jobs per queue and state, for metrics. */
  depths(): Promise<Record<QueueName, JobCounts>>
  /** Returns the status of all queues, for people. */
  queueStatuses(): Promise<QueueStatus[]>
}

/** Returns the time at which a job was added, in milliseconds. */
type TimestampOf = (queue: Queue, id: string) => Promise<number>

interface ReportOptions {
  timestampOf: TimestampOf
  openQueues: ReadonlyMap<QueueName, Queue>
  /** The direct requests of other machines. */
  requestList?: Pick<RedisListChannel, 'depth'> | undefined
  waitingEvents: Pick<WaitingEvents, 'count' | 'waitsSince'>
  /** Returns the number of workers of a queue. Undefined if the broker does not list them. */
  countWorkers(queue: Queue): Promise<number | undefined>
}

/** Reads the status of queues, in a time that does not depend on the number of jobs. */
export function createQueueReports(options: ReportOptions): QueueReports {
  const { timestampOf, openQueues, requestList, waitingEvents } = options
  const listDepths: { [Name in QueueName]?: () => Promise<number> } = {
    ...(requestList && { signing: requestList.depth }),
    analytics: waitingEvents.count,
  }
  const countWorkers = createWorkerCounter(options.countWorkers)

  async function countJobs(name: QueueName, queue: Queue): Promise<JobCounts> {
    const counts = queue.getJobCounts('waiting', 'active', 'delayed', 'failed', 'prioritized')
    const [jobs, listed] = await Promise.all([counts, listDepths[name]?.() ?? 0])
    return { ...jobs, waiting: (jobs.waiting ?? 0) + listed }
  }

  async function statusOf(name: QueueName, queue: Queue): Promise<QueueStatus> {
    const [jobs, jobSince, eventSince, workers] = await Promise.all([
      countJobs(name, queue),
      findOldestWaiting(timestampOf, queue),
      name === 'analytics' ? waitingEvents.waitsSince() : undefined,
      countWorkers(queue),
    ])
    return { queue: name, jobs, waitsSince: earlierOf(jobSince, eventSince), workers }
  }

  return {
    async depths() {
      const all = [...openQueues].map(async ([name, queue]) => [name, await countJobs(name, queue)])
      return Object.fromEntries(await available(Promise.all(all)))
    },
    queueStatuses: () => available(Promise.all([...openQueues].map(([name, queue]) => statusOf(name, queue)))),
  }
}

/** Returns the options of reports on queues in Redis. */
export function redisReports(redis: RedisConnection): Pick<ReportOptions, 'timestampOf' | 'countWorkers'> {
  return { timestampOf: jobTimestamps(redis), countWorkers: countRedisWorkers }
}

/** Reads the times of jobs from Redis without their data. */
function jobTimestamps(redis: RedisConnection): TimestampOf {
  return async (queue, id) => Number((await redis.hget(queue.toKey(id), 'timestamp')) ?? Number.NaN)
}

function earlierOf(one: Date | undefined, other: Date | undefined): Date | undefined {
  return one && other ? (one < other ? one : other) : (one ?? other)
}

/** Returns the time of the oldest waiting job. With priorities, the last job can be older than the first. */
async function findOldestWaiting(timestampOf: TimestampOf, queue: Queue): Promise<Date | undefined> {
  const [first, last] = await Promise.all([
    queue.getRanges(['waiting', 'prioritized'], 0, 0, true),
    queue.getRanges(['prioritized'], 0, 0, false),
  ])
  const ids = [...new Set([...first, ...last])]
  const times = await Promise.all(ids.map(async (id) => timeInId(id) ?? (await timestampOf(queue, id))))
  const validTimes = times.filter((time) => Number.isFinite(time))
  return validTimes.length > 0 ? new Date(Math.min(...validTimes)) : undefined
}

/** Returns the time at the end of the id of a scheduled job. BullMQ creates such a job when the one before it starts. */
function timeInId(id: string): number | undefined {
  const [, time] = /^repeat:.*:(\d+)$/.exec(id) ?? []
  return time === undefined ? undefined : Number(time)
}

/** Counts the workers of a queue at most every 5 s, because Redis lists all of its clients for it. */
function createWorkerCounter(countWorkers: ReportOptions['countWorkers']): ReportOptions['countWorkers'] {
  const cache = new LRUCache<string, { workers: number | undefined }, Queue>({
    max: queues.length,
    ttl: 5_000,
    fetchMethod: async (_name, _stale, { context }) => ({
      workers: await countWorkers(context).catch(() => undefined),
    }),
  })
  return async (queue) => (await cache.fetch(queue.name, { context: queue }))?.workers
}

/** Counts the workers that are clients of Redis. */
async function countRedisWorkers(queue: Queue): Promise<number | undefined> {
  const workers = await queue.getWorkers()
  // BullMQ returns one worker without a raw name if Redis has no CLIENT LIST.
  return workers.every(({ rawname }) => rawname !== undefined) ? workers.length : undefined
}
