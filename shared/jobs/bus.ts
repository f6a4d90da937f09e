import { randomUUID } from 'node:crypto'
import { type JobsOptions, Queue } from 'bullmq'
import { type Clock, dayMs } from '../clock.ts'
import { type Counters, createSharedCounters } from '../counters.ts'
import type { Secrets } from '../secrets.ts'
import { available } from './available.ts'
import { createCompletions } from './completions.ts'
import { failuresKeptSeconds, type QueueName, queues } from './definition.ts'
import { createDirectRequests, type DirectRequest, unansweredMs } from './direct-requests.ts'
import { readHeartbeats, type SigningStanding } from './heartbeat.ts'
import { acquireMetricsLease, releaseMetricsLease } from './metrics-lease.ts'
import { createStandings, type QueueStanding } from './queue-standing.ts'
import { connectFailFast, connectPatient } from './redis.ts'
import { clockAheadMs } from './redis-clock.ts'
import { type RedisSettings, readRedisSettings } from './redis-settings.ts'
import { definitionOf, isJobName, type JobName, type Payload, type Result } from './registry.ts'
import { createWaitingEvents, type WaitingEvents } from './waiting-events.ts'

/** What a job looks like in Redis. */
export interface JobData {
  /** The payload as it is, or its sealed JSON. */
  payload: unknown
  /** The channel on which the result is waited for. */
  replyTo?: string
}

export interface SendOptions {
  /** At most one job of this id is queued. No `:`, not an integer. */
  id?: string
  delayMs?: number
  /** 0 is first; then 1 to 2,097,151. */
  priority?: number
  /** The job is not kept when it has failed: another one of its id can be added at once. */
  forgetFailure?: boolean
}

/** Puts jobs on queues. Fails at once with `service_unavailable` while Redis is away. */
export interface Bus {
  /** Resolves once Redis was reached for the first time. Nothing is called before. */
  connected: Promise<void>
  send<Name extends JobName>(name: Name, payload: Payload<Name>, options?: SendOptions): Promise<void>
  sendMany<Name extends JobName>(
    name: Name,
    entries: { payload: Payload<Name>; options?: SendOptions }[],
  ): Promise<void>
  /** Sends, waits for the result; a problem of the handler is thrown here. */
  call<Name extends JobName>(name: Name, payload: Payload<Name>, options: { deadlineMs: number }): Promise<Result<Name>>
  /** Makes a job of what was asked over a list; one of its id that is queued already stays as it is. */
  queueUp(ask: DirectRequest): Promise<void>
  /** What `storeEvents` stores. */
  waitingEvents: WaitingEvents
  /** Tells relays that the outbox has rows. Calls of one moment become one message; a lost one costs a poll. */
  poke(): void
  ping(): Promise<void>
  /** Throws `service_unavailable` when Redis is away, or refuses to write: it is full, read-only, or cannot save. */
  requireWritable(): Promise<void>
  /** How far a clock is ahead of Redis's, in milliseconds; negative when it is behind. */
  clockAheadMs(clock: Clock): Promise<number>
  /** Settings of Redis that can lose jobs. Asked at most once in 30 s. */
  redisSettings(): Promise<RedisSettings>
  /** How the signing workers have shown themselves in the last seconds. */
  signingStanding(): Promise<SigningStanding>
  /** Jobs per queue and state, for metrics. What waits in a list beside a queue is counted as `waiting`. */
  depths(): Promise<Record<QueueName, Record<string, number>>>
  /** The same with the oldest job of each queue, and who takes them, for people. */
  queueStandings(): Promise<({ queue: QueueName; jobs: Record<string, number> } & QueueStanding)[]>
  /** Whether this process is the one that tells what is true of the whole service: nobody else did of late. */
  takeTelling(id: string): Promise<boolean>
  leaveTelling(id: string): Promise<void>
  /** Count by the minute. */
  counters: Counters
  /** Count by the day. */
  dailyCounters: Counters
  queue(name: QueueName): Queue
  close(): Promise<void>
}

/** A prefix with a hash tag, so that the keys of one queue share a slot of a Redis Cluster. */
export function queuePrefix(prefix: string, queue: QueueName): string {
  return `{${prefix}:${queue}}`
}

export const pokeChannel = (prefix: string) => `${prefix}:outbox`

export interface BusOptions {
  redisUrl: string
  prefix: string
  secrets: Secrets
}

const settingsForMs = 30_000

/** A bus that works; waits for Redis. */
export async function createBus(options: BusOptions): Promise<Bus> {
  const bus = openBus(options)
  await bus.connected
  return bus
}

/** A bus that may not be connected yet, for a process that has something to say until then. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: a thing with a lifetime, of small functions that share its connections
export function openBus({ redisUrl, prefix, secrets }: BusOptions): Bus {
  const redis = connectFailFast(redisUrl)
  const completions = createCompletions(connectPatient(redisUrl), prefix)
  const asks = createDirectRequests(redis, queuePrefix(prefix, 'signing'))
  const waitingEvents = createWaitingEvents(redis, queuePrefix(prefix, 'analytics'))
  const countBeside: { [Name in QueueName]?: () => Promise<number> } = {
    signing: asks.depth,
    analytics: waitingEvents.count,
  }
  const byName = new Map<QueueName, Queue>()
  // Each writes its settings as soon as it is made, and a connection that fails fast takes them only once it stands.
  const connected = Promise.all([onceReady(redis), completions.listening]).then(() => {
    for (const name of queues) {
      byName.set(name, openQueue(name, { connection: redis, prefix: queuePrefix(prefix, name) }))
    }
  })
  connected.catch(() => undefined) // closed before it was
  const counters = createSharedCounters(redis, prefix)
  const dailyCounters = createSharedCounters(redis, prefix, dayMs)
  const standingOf = createStandings(redis)
  let pokeTimer: NodeJS.Timeout | undefined
  let settings: { read: Promise<RedisSettings>; until: number } | undefined

  const queue = (name: QueueName) => {
    const found = byName.get(name)
    if (!found) throw new Error(`no queue ${name}`)
    return found
  }
  const jobData = (name: JobName, payload: unknown, replyTo?: string): JobData => ({
    payload: definitionOf(name).sealed ? secrets.seal(JSON.stringify(payload), name) : payload,
    ...(replyTo ? { replyTo } : {}),
  })

  async function queueUp({ id, name, data }: DirectRequest): Promise<void> {
    if (!isJobName(name)) throw new Error(`no job ${name} in the registry`)
    await available(queue(definitionOf(name).queue).add(name, data, jobOptions(name, { id })))
  }

  async function makeJob(ask: DirectRequest): Promise<void> {
    await asks.withdraw(ask)
    await queueUp(ask).catch(() => undefined) // Redis is away: who waits is told at the deadline
  }

  async function countJobs(name: QueueName, queue: Queue): Promise<Record<string, number>> {
    const counts = queue.getJobCounts('waiting', 'active', 'delayed', 'failed', 'prioritized')
    const [jobs, beside] = await Promise.all([counts, countBeside[name]?.() ?? 0])
    return { ...jobs, waiting: (jobs.waiting ?? 0) + beside }
  }

  return {
    connected,
    queue,
    counters,
    dailyCounters,
    async send(name, payload, sendOptions = {}) {
      await available(queue(definitionOf(name).queue).add(name, jobData(name, payload), jobOptions(name, sendOptions)))
    },
    async sendMany(name, entries) {
      const rows = entries.map(({ payload, options: sendOptions = {} }) => ({
        name,
        data: jobData(name, payload),
        opts: jobOptions(name, sendOptions),
      }))
      await available(queue(definitionOf(name).queue).addBulk(rows))
    },
    async call(name, payload, { deadlineMs }) {
      const id = randomUUID()
      const expected = completions.expect(id, deadlineMs)
      const ask = { id, name, data: jobData(name, payload, completions.channel) }
      // What many ask for, each for itself, is answered at once or not at all; the rest is worth a job.
      const isBrief = definitionOf(name).lanes !== undefined && asks.hasListener()
      let late: NodeJS.Timeout | undefined
      try {
        if (isBrief) await available(asks.put(ask))
        else await queueUp(ask)
        if (isBrief) late = setTimeout(() => void makeJob(ask), unansweredMs)
        const result = await expected.reply
        return JSON.parse(definitionOf(name).sealed ? secrets.open(result, name) : result)
      } catch (error) {
        expected.forget()
        if (isBrief) void asks.withdraw(ask)
        throw error
      } finally {
        clearTimeout(late)
      }
    },
    queueUp,
    waitingEvents,
    poke() {
      pokeTimer ??= setTimeout(() => {
        pokeTimer = undefined
        redis.publish(pokeChannel(prefix), '').catch(() => undefined) // relays poll as well
      }, 2)
    },
    async ping() {
      await available(redis.ping())
    },
    async requireWritable() {
      await available(redis.set(`${prefix}:writable`, '1', 'EX', 60))
    },
    clockAheadMs: (clock) => available(clockAheadMs(redis, clock)),
    redisSettings: () => {
      if (!settings || performance.now() > settings.until) {
        const read = readRedisSettings(redis)
        settings = { read, until: performance.now() + settingsForMs }
        read.catch(() => {
          settings = undefined
        })
      }
      return available(settings.read)
    },
    signingStanding: () => available(readHeartbeats(redis, { prefix, secrets })),
    takeTelling: (id) => available(acquireMetricsLease(redis, prefix, id)),
    leaveTelling: (id) => available(releaseMetricsLease(redis, prefix, id)),
    async depths() {
      const all = [...byName].map(async ([name, each]) => [name, await countJobs(name, each)])
      return Object.fromEntries(await available(Promise.all(all)))
    },
    queueStandings() {
      const all = [...byName].map(async ([name, each]) => {
        const since = name === 'analytics' ? waitingEvents.waitsSince() : undefined
        const [jobs, standing, eventsSince] = await Promise.all([countJobs(name, each), standingOf(each), since])
        return { queue: name, jobs, ...standing, waitsSince: earlierOf(standing.waitsSince, eventsSince) }
      })
      return available(Promise.all(all))
    },
    async close() {
      clearTimeout(pokeTimer)
      await Promise.all([...byName.values()].map((each) => each.close()))
      await completions.close()
      redis.disconnect()
    },
  }
}

function openQueue(
  name: QueueName,
  options: { connection: ReturnType<typeof connectFailFast>; prefix: string },
): Queue {
  const queue = new Queue(name, {
    ...options,
    skipWaitingForReady: true,
    skipVersionCheck: true,
    streams: { events: { maxLen: 100 } },
  })
  queue.on('error', () => undefined) // every call reports its own failure
  return queue
}

function jobOptions(name: JobName, { id, delayMs, priority, forgetFailure }: SendOptions): JobsOptions {
  const { attempts, backoffMs, forgetFailures } = definitionOf(name)
  return {
    attempts,
    backoff: { type: 'custom', delay: backoffMs },
    removeOnComplete: true,
    removeOnFail: forgetFailures || forgetFailure ? true : { age: failuresKeptSeconds, count: 10_000 },
    stackTraceLimit: 2,
    ...(id === undefined ? {} : { jobId: id }),
    ...(delayMs === undefined ? {} : { delay: delayMs }),
    ...(priority === undefined ? {} : { priority }),
  }
}

function earlierOf(one: Date | undefined, other: Date | undefined): Date | undefined {
  return one && other ? (one < other ? one : other) : (one ?? other)
}

async function onceReady(redis: ReturnType<typeof connectFailFast>): Promise<void> {
  if (redis.status === 'ready') return
  await new Promise<void>((resolve) => redis.once('ready', resolve))
}
