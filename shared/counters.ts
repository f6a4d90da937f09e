import type { Redis } from 'ioredis'
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible'
import { minuteMs } from './clock.ts'

/** How often a key was counted in its present window, and when that window ends. */
export interface CounterWindow {
  count: number
  forgottenInMs: number
}

/** Counts events by key and window of time. A window begins with the first event of its key. */
export interface Counters {
  /** Counts one more event. `most` is the caller's limit: shared counters are exact near it. */
  count(key: string, most: number): Promise<CounterWindow>
}

const points = Number.MAX_SAFE_INTEGER // the caller applies the limit

/** Counts in this process, without a round trip. */
export function createProcessCounters(): Counters {
  const limiter = new RateLimiterMemory({ points, duration: minuteMs / 1000 })
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

/** The present window of a key, as this process knows it. */
interface Window {
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
export function createSharedCounters(redis: Redis, prefix: string, windowMs = minuteMs): Counters {
  const keyPrefix = `${prefix}:counters`
  const duration = windowMs / 1000
  const store = { storeClient: redis, keyPrefix, rejectIfRedisNotReady: true }
  const limiter = new RateLimiterRedis({ points, duration, ...store })
  const windows = new LRUCache<string, Window>({ max: mostKeys })
  let brokenUntil = 0

  function windowOf(key: string): Window {
    const now = performance.now()
    const known = windows.get(key)
    if (known && known.endsAt > now) return known
    const sentAt = Number.NEGATIVE_INFINITY
    const begun = { shared: 0, unsent: 0, underWay: 0, endsAt: now + windowMs, sentAt, timer: undefined }
    windows.set(key, begun)
    return begun
  }

  /** Sends what was counted here. Returns the count at the moment when Redis added it. */
  async function send(key: string, window: Window): Promise<CounterWindow> {
    const events = window.unsent
    if (events === 0 || performance.now() < brokenUntil) return countedHere(window)
    window.unsent = 0
    window.underWay += events
    window.sentAt = performance.now()
    const outcome = await answerOf(limiter.consume(key, events))
    window.underWay -= events
    if (typeof outcome === 'object') {
      window.shared = outcome.consumedPoints
      window.endsAt = performance.now() + outcome.msBeforeNext
      return countedBy(outcome)
    }
    brokenUntil = performance.now() + breakerMs
    // Redis may still execute a late command, so that these events are not sent again.
    if (outcome === 'late') window.shared += events
    else window.unsent += events
    return countedHere(window)
  }

  function sendLater(key: string, window: Window): void {
    if (window.timer) return
    const pauseMs = Math.max(0, window.sentAt + reconcileEveryMs - performance.now())
    window.timer = setTimeout(() => {
      window.timer = undefined
      void send(key, window)
    }, pauseMs).unref()
  }

  return {
    async count(key, most) {
      const window = windowOf(key)
      window.unsent += 1
      if (!isFarFrom(most, window)) return send(key, window)
      sendLater(key, window)
      return countedHere(window)
    },
  }
}

function isFarFrom(most: number, { shared, unsent, underWay }: Window): boolean {
  const unreported = unsent + underWay
  return shared + unreported <= most / 2 && unreported <= most * unreportedShare
}

function countedHere({ shared, unsent, underWay, endsAt }: Window): CounterWindow {
  return { count: shared + unsent + underWay, forgottenInMs: Math.max(0, endsAt - performance.now()) }
}

function countedBy({ consumedPoints, msBeforeNext }: RateLimiterRes): CounterWindow {
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
