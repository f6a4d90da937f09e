import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible'
import { minuteMs } from './clock.ts'
import type { RedisConnection } from './jobs/redis.ts'

/** The count of a key in its current window, and the time until the window ends. */
export interface CounterWindow {
  count: number
  forgottenInMs: number
}

/** Counts events by key and window of time. A window begins with the first event of its key. */
export interface Counters {
  /** Counts one event. `limit` is the limit of the caller: shared counters are exact near it. */
  count(key: string, limit: number): Promise<CounterWindow>
}

const points = Number.MAX_SAFE_INTEGER // the caller applies the limit

/** Counts in this process, without a round trip. */
export function createProcessCounters(windowMs = minuteMs): Counters {
  const limiter = new RateLimiterMemory({ points, duration: windowMs / 1000 })
  return { count: async (key) => countedBy(await limiter.consume(key)) }
}

/** The time that a request waits for the count of all processes. */
const commandTimeoutMs = 200
/** After a command that was late or failed, no command is sent for this time. */
const breakerMs = 1_000
/** While a key is far from its limit, its count is sent at most this often. */
const reconcileEveryMs = 100
/** The share of a limit that a process may count before it reports. With 10 processes, the limit holds. */
const unreportedShare = 1 / 20
const maxKeys = 100_000

/** The current window of a key, as this process knows it. */
interface Window {
  /** The count of all processes, from the last answer. */
  shared: number
  /** Counted here, and not sent. */
  unsent: number
  /** Sent, and not answered. */
  inFlight: number
  /** When the window ends, by `performance.now()`. */
  endsAt: number
  /** When the last command was sent, by `performance.now()`. */
  sentAt: number
  timer: NodeJS.Timeout | undefined
}

/** Adds events to the count of all processes for a key, and returns it. Rejects if the counts are not available. */
export type AddToCount = (key: string, events: number) => Promise<CounterWindow>

/** Counts the events of all processes in Redis. */
export function countInRedis(redis: RedisConnection, prefix: string, windowMs = minuteMs): AddToCount {
  const keyPrefix = `${prefix}:counters`
  const duration = windowMs / 1000
  const store = { storeClient: redis, keyPrefix, rejectIfRedisNotReady: true }
  const limiter = new RateLimiterRedis({ points, duration, ...store })
  return async (key, events) => countedBy(await limiter.consume(key, events))
}

/**
 * Counts the events of all processes. Below half of the limit, a process counts locally and sends its count in the
 * background. Near the limit, each event is a command and the count is exact. While commands fail, each process counts alone.
 */
export function createSharedCounters(addToCount: AddToCount, windowMs = minuteMs): Counters {
  let windows: LRUCache<string, Window> | undefined
  let brokenUntil = 0

  function windowOf(key: string): Window {
    const now = performance.now()
    // A cache allocates all its entries when it is made. Many processes never count.
    windows ??= new LRUCache({ max: maxKeys })
    const window = windows.get(key)
    if (window && window.endsAt > now) return window
    const sentAt = Number.NEGATIVE_INFINITY
    const begun = { shared: 0, unsent: 0, inFlight: 0, endsAt: now + windowMs, sentAt, timer: undefined }
    windows.set(key, begun)
    return begun
  }

  /** Sends the local count. Returns the count of all processes from the answer. */
  async function send(key: string, window: Window): Promise<CounterWindow> {
    const events = window.unsent
    if (events === 0 || performance.now() < brokenUntil) return countedHere(window)
    window.unsent = 0
    window.inFlight += events
    window.sentAt = performance.now()
    const outcome = await answerOf(addToCount(key, events))
    window.inFlight -= events
    if (typeof outcome === 'object') {
      window.shared = outcome.count
      window.endsAt = performance.now() + outcome.forgottenInMs
      return outcome
    }
    brokenUntil = performance.now() + breakerMs
    // A late command may still be executed. Its events are therefore not sent again.
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
    async count(key, limit) {
      const window = windowOf(key)
      window.unsent += 1
      if (!isFarFrom(limit, window)) return send(key, window)
      sendLater(key, window)
      return countedHere(window)
    },
  }
}

function isFarFrom(limit: number, { shared, unsent, inFlight }: Window): boolean {
  const unreported = unsent + inFlight
  return shared + unreported <= limit / 2 && unreported <= limit * unreportedShare
}

function countedHere({ shared, unsent, inFlight, endsAt }: Window): CounterWindow {
  return { count: shared + unsent + inFlight, forgottenInMs: Math.max(0, endsAt - performance.now()) }
}

function countedBy({ consumedPoints, msBeforeNext }: RateLimiterRes): CounterWindow {
  return { count: consumedPoints, forgottenInMs: msBeforeNext }
}

/** Never rejects. Returns `failed` if the command was not accepted, and `late` if it was not answered in time. */
async function answerOf(command: Promise<CounterWindow>): Promise<CounterWindow | 'failed' | 'late'> {
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
