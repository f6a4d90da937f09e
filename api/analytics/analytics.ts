import type { AnalyticsEvent } from '../../shared/domain/operations/events.ts'
import type { Bus } from '../../shared/jobs/bus.ts'
import type { Log } from '../../shared/log.ts'
import { createThrottledLog } from '../../shared/throttled-log.ts'
import { createAnonymousEventAggregator } from './anonymous-event-aggregator.ts'

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

/** Events that wait here are lost when the process is killed. With 40 ms, 2 % of the requests were lost that it answered in two seconds. */
const waitMs = 20
/** Events of one command. So many do not wait for the time. */
const batchSize = 1000
/** Events that wait in the process while Redis is away or its list is full. */
const mostKept = 50_000
/** Events that wait in Redis while no worker stores them: some 500 MB. */
const mostWaiting = 1_000_000
/** A job costs 0.8 ms of CPU, a command with events a tenth of that (SQLite). */
const storedEveryMs = 500
/** The job of a time comes so much later: a process whose clock is behind must not name a job that has begun. */
const clocksDifferMs = 50

/** Collects events and appends them to the list that `storeEvents` stores. */
export function createAnalytics(bus: Bus, log: Log): Analytics {
  const list = openList(bus, log)
  let kept: AnalyticsEvent[] = []
  let dropped = 0
  /** Those that have waited long enough. */
  let due = 0
  let sending: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function send(): Promise<void> {
    while (due > 0) {
      const batch = kept.slice(0, Math.min(batchSize, due))
      if (!(await list.append(batch))) return
      kept = kept.slice(batch.length)
      due -= batch.length
    }
    if (dropped > 0) log.warn({ dropped }, 'analytics events were dropped while Redis was away or its list was full')
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

  const crowds = createAnonymousEventAggregator(emit)
  return {
    emit,
    emitOfNobody: crowds.record,
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

function openList({ waitingEvents, send }: Bus, log: Log) {
  const tellFull = createThrottledLog((fields: { waiting: number }) =>
    log.warn(fields, 'too many analytics events wait to be stored: the next ones wait in this process'),
  )
  let isFull = false
  let owesJob = false
  return {
    /** Returns false while the list is full. */
    async append(batch: AnalyticsEvent[]): Promise<boolean> {
      if (isFull && (await waitingEvents.count()) >= mostWaiting) return false
      const waiting = await waitingEvents.append(batch)
      isFull = waiting >= mostWaiting
      if (isFull) tellFull('full', { waiting })
      // For events that found others in the list a job is queued already.
      owesJob ||= waiting <= batch.length
      if (owesJob)
        await send('storeEvents', {}, nextTime(Date.now())).then(
          () => {
            owesJob = false
          },
          () => undefined, // the next batch tries again, and the job runs by itself every few seconds
        )
      return true
    },
  }
}

/** All processes name the job of a time the same, so that it is queued once. */
function nextTime(now: number): { id: string; delayMs: number } {
  const time = Math.floor(now / storedEveryMs) + 1
  return { id: `until-${time}`, delayMs: time * storedEveryMs + clocksDifferMs - now }
}
