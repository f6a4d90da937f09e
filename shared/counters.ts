import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible'

/** How often a key was counted in its present minute, and when that minute ends. */
export interface Counted {
  count: number
  forgottenInMs: number
}

/** Counts events by key and minute. A minute begins with the first event of its key. */
export interface Counters {
  /** Counts one more event. `most` is the caller's limit: shared counters are exact near it. */
  count(key: string, most: number): Promise<Counted>
}

const minuteMs = 60_000
const options = { points: Number.MAX_SAFE_INTEGER, duration: minuteMs / 1000 } // the caller applies the limit

/** Counts in this process, without a round trip. */
export function createProcessCounters(): Counters {
  const limiter = new RateLimiterMemory(options)
  return { count: async (key) => countedBy(await limiter.consume(key)) }
}

/** A request waits no longer than this for Redis. */
const commandTimeoutMs = 200
/** After a command that was late or failed, no command is sent for so long. */
const breakerMs = 1_000
/** While a key is far from its limit, its count is sent to Redis at most this often. */
const reconcileEveryMs = 100
/** The share of a limit that a process may count before it tells Redis. With 10 processes, the limit holds. */
const unreportedShare = 1 / 20
const mostKeys = 100_000

/** The present minute of a key, as this process knows it. */
interface Minute {
  /** The count of all processes, as Redis told it last. */
  shared: number
  /** Counted here, and not sent to Redis. */
  unsent: number
  /** Sent to Redis, and not answered. */
  underWay: number
  /** By `performance.now()`, as is the next. */
  endsAt: number
  sentAt: number
  timer: NodeJS.Timeout | undefined
}

/**
 * Counts over all processes, in Redis. Far from the limit (below a half of it) a process counts by itself, and sends its count in the
 * background. Near the limit, each event is a command and the count is exact. While Redis is away or late, the process counts alone.
 */
export function createSharedCounters(redis: Redis, prefix: string): Counters {
  const keyPrefix = `${prefix}:counters`
  const limiter = new RateLimiterRedis({ ...options, storeClient: redis, keyPrefix, rejectIfRedisNotReady: true })
  const minutes = new LRUCache<string, Minute>({ max: mostKeys })
  let brokenUntil = 0

  function minuteOf(key: string): Minute {
    const now = performance.now()
    const known = minutes.get(key)
    if (known && known.endsAt > now) return known
    const sentAt = Number.NEGATIVE_INFINITY
    const begun = { shared: 0, unsent: 0, underWay: 0, endsAt: now + minuteMs, sentAt, timer: undefined }
    minutes.set(key, begun)
    return begun
  }

  /** Sends what was counted here. Returns the count at the moment when Redis added it. */
  async function send(key: string, minute: Minute): Promise<Counted> {
    const events = minute.unsent
    if (events === 0 || performance.now() < brokenUntil) return countedHere(minute)
    minute.unsent = 0
    minute.underWay += events
    minute.sentAt = performance.now()
    const outcome = await answerOf(limiter.consume(key, events))
    minute.underWay -= events
    if (typeof outcome === 'object') {
      minute.shared = outcome.consumedPoints
      minute.endsAt = performance.now() + outcome.msBeforeNext
      return countedBy(outcome)
    }
    brokenUntil = performance.now() + breakerMs
    // Redis may still execute a late command, so that these events are not sent again.
    if (outcome === 'late') minute.shared += events
    else minute.unsent += events
    return countedHere(minute)
  }

  function sendLater(key: string, minute: Minute): void {
    if (minute.timer) return
    const pauseMs = Math.max(0, minute.sentAt + reconcileEveryMs - performance.now())
    minute.timer = setTimeout(() => {
      minute.timer = undefined
      void send(key, minute)
    }, pauseMs).unref()
  }

  return {
    async count(key, most) {
      const minute = minuteOf(key)
      minute.unsent += 1
      if (!isFarFrom(most, minute)) return send(key, minute)
      sendLater(key, minute)
      return countedHere(minute)
    },
  }
}

function isFarFrom(most: number, { shared, unsent, underWay }: Minute): boolean {
  const unreported = unsent + underWay
  return shared + unreported <= most / 2 && unreported <= most * unreportedShare
}

function countedHere({ shared, unsent, underWay, endsAt }: Minute): Counted {
  return { count: shared + unsent + underWay, forgottenInMs: Math.max(0, endsAt - performance.now()) }
}

function countedBy({ consumedPoints, msBeforeNext }: RateLimiterRes): Counted {
  return { count: consumedPoints, forgottenInMs: msBeforeNext }
}

/** Never rejects: `failed` when Redis did not take the command, `late` when it did not answer in time. */
async function answerOf(command: Promise<RateLimiterRes>): Promise<RateLimiterRes | 'failed' | 'late'> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(resolve, commandTimeoutMs, 'late')
  })
  try {
    return await Promise.race([command, late])
  } catch {
    return 'failed'
  } finally {
    clearTimeout(timer)
  }
}
