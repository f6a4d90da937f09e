import type { AnalyticsEvent } from '../shared/events.ts'
import type { Bus } from '../shared/jobs/bus.ts'
import type { Log } from '../shared/log.ts'
import { createCrowds } from './crowds.ts'

/** Where operations report; never waits, never fails the operation. */
export interface Analytics {
  emit(event: AnalyticsEvent): void
  /**
   * A request that came from nobody: what began, if it was told to begin, and how it ended. Floods are counted. Returns the
   * name of the crowd that it is one of.
   */
  emitOfNobody(start: AnalyticsEvent | undefined, end: AnalyticsEvent): string
  /** Counts one more of a crowd without an event of its own; false where it is to be told (`Crowds.count`). */
  countOfNobody(crowd: string, requestId: string, at: Date): boolean
  /** Sends what is left. */
  close(): Promise<void>
}

/** Events that wait are lost when the process is killed. At most 25 batches go in a second; each costs 0.8 ms of CPU (SQLite). */
const waitMs = 40
/** Of so many, storing one costs a fifth less than of 250 (8.2 and 10.4 µs, SQLite), and others cannot write for some 10 ms. */
const batchSize = 1000
const mostKept = 50_000

/** Collects events and sends them to the analytics queue in batches. While Redis is away the first 50,000 are kept. */
export function createAnalytics(bus: Bus, log: Log): Analytics {
  let kept: AnalyticsEvent[] = []
  let dropped = 0
  /** Those that have waited long enough, and go even where they fill no batch. */
  let due = 0
  let sending: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  /** What is left behind full batches waits for company, until it is due. */
  async function send(): Promise<void> {
    while (kept.length >= batchSize || due > 0) {
      const batch = kept.slice(0, batchSize)
      await bus.send('recordEvents', { events: batch })
      kept = kept.slice(batch.length)
      due -= batch.length
    }
    if (dropped > 0) log.warn({ dropped }, 'analytics events were dropped while the queue was away')
    dropped = 0
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    due = kept.length
    sending ??= send()
      .catch(() => undefined) // the next flush tries again
      .finally(() => {
        sending = undefined
        if (kept.length > 0) flushSoon()
      })
    return sending
  }

  function flushSoon(): void {
    timer ??= setTimeout(flush, waitMs)
  }

  function emit(event: AnalyticsEvent): void {
    if (kept.length >= mostKept) {
      dropped++
      return
    }
    kept.push(event)
    if (kept.length >= batchSize && !sending) void flush()
    else flushSoon()
  }

  const crowds = createCrowds(emit)
  return {
    emit,
    emitOfNobody: crowds.tell,
    countOfNobody: crowds.count,
    async close() {
      crowds.flush()
      // The first may have been under way, and leaves what came meanwhile.
      await flush()
      await flush()
      clearTimeout(timer)
    },
  }
}
