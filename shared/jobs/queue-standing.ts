import type { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { queues } from './definition.ts'

export interface QueueStanding {
  /** Since when a job waits that could be done: of those that are first and last in line, which of them came first. */
  waitsSince: Date | undefined
  /** How many processes take its jobs; undefined where Redis does not tell who is connected to it. */
  workers: number | undefined
}

/** Reads how queues stand: takes as long for a million jobs as for one. */
export function createStandings(redis: Redis): (queue: Queue) => Promise<QueueStanding> {
  // Redis tells of all its clients at once, which may be thousands: however many people look, it is asked every five seconds.
  const workers = new LRUCache<string, Pick<QueueStanding, 'workers'>, Queue>({
    max: queues.length,
    ttl: 5_000,
    fetchMethod: async (_name, _stale, { context }) => ({
      workers: await countWorkers(context).catch(() => undefined),
    }),
  })
  return async (queue) => {
    const [waitsSince, counted] = await Promise.all([
      findOldestWaiting(redis, queue),
      workers.fetch(queue.name, { context: queue }),
    ])
    return { waitsSince, workers: counted?.workers }
  }
}

/** By their order alone nobody knows which job with a priority is the oldest: the last one may have waited for longest. */
async function findOldestWaiting(redis: Redis, queue: Queue): Promise<Date | undefined> {
  const [first, last] = await Promise.all([
    queue.getRanges(['waiting', 'prioritized'], 0, 0, true),
    queue.getRanges(['prioritized'], 0, 0, false),
  ])
  const ids = [...new Set([...first, ...last])]
  const times = await Promise.all(
    ids.map(async (id) => timeInId(id) ?? Number((await redis.hget(queue.toKey(id), 'timestamp')) ?? Number.NaN)),
  )
  const known = times.filter((time) => Number.isFinite(time))
  return known.length > 0 ? new Date(Math.min(...known)) : undefined
}

/** Of a job that runs by itself: it was made when the one before it began, and could be done at the time that its id ends with. */
function timeInId(id: string): number | undefined {
  const [, time] = /^repeat:.*:(\d+)$/.exec(id) ?? []
  return time === undefined ? undefined : Number(time)
}

async function countWorkers(queue: Queue): Promise<number | undefined> {
  const workers = await queue.getWorkers()
  // Where Redis has no CLIENT LIST, one stands for that.
  return workers.every(({ rawname }) => rawname !== undefined) ? workers.length : undefined
}
