import type { AnalyticsEvent } from '../../shared/domain/operations/events.ts'
import type { Bus } from '../../shared/jobs/bus.ts'
import type { Log } from '../../shared/log/log.ts'
import { createThrottledLog } from '../../shared/log/throttled-log.ts'
import { countLostEvent } from '../../shared/metrics/lost-events.ts'
import type { Analytics } from '../http/analytics.ts'
import { createAnonymousEventAggregator } from './anonymous-event-aggregator.ts'

/**
 * The time that events wait in the process. Waiting events are lost when the process is killed. With 40 ms, 2 % of the requests of two
 * seconds were lost.
 */
const waitMs = 20
/** The number of events of one Redis command. A full batch is sent without waiting. */
const batchSize = 1000
/** The number of events that the process buffers while Redis is unreachable or its list is full. */
const maxBuffered = 50_000
/** The number of events in Redis that wait for a worker to store them: about 500 MB. */
const maxWaiting = 1_000_000
/** A job costs 0.8 ms of CPU. A command with events costs a tenth of that (SQLite). */
const storedEveryMs = 500
/** Delays each job by the expected clock skew: a process with a slow clock must not name a job that has started already. */
const clocksDifferMs = 50

/** Creates the collector of events. It appends them to the Redis list that the job `storeEvents` stores. */
export function createAnalytics(bus: Bus, log: Log): Analytics {
  const { emit, flush, stop } = createBuffer(openList(bus, log), log)
  const aggregator = createAnonymousEventAggregator(emit)
  return {
    emit,
    emitAnonymous: aggregator.record,
    countAnonymous: aggregator.count,
    async close() {
      aggregator.flush()
      // The first flush may have been running already. It does not send events that arrived after it started.
      await flush()
      await flush()
      stop()
    },
  }
}

/** Buffers events and appends them to the list in batches. Drops events if the buffer is full. */
function createBuffer(list: ReturnType<typeof openList>, log: Log) {
  let buffer: AnalyticsEvent[] = []
  let dropped = 0
  /** The number of buffered events that have waited long enough. */
  let due = 0
  let sending: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function send(): Promise<void> {
    while (due > 0) {
      const batch = buffer.slice(0, Math.min(batchSize, due))
      if (!(await list.append(batch))) return
      buffer = buffer.slice(batch.length)
      due -= batch.length
    }
    if (dropped > 0) log.warn({ dropped }, 'analytics events dropped')
    dropped = 0
  }

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    due = buffer.length
    sending ??= send()
      .catch(() => undefined) // the next flush tries again
      .finally(() => {
        sending = undefined
        if (buffer.length > 0) flushSoon()
      })
    return sending
  }

  function flushSoon(): void {
    timer ??= setTimeout(flush, waitMs)
  }

  function emit(event: AnalyticsEvent): void {
    if (buffer.length >= maxBuffered) {
      dropped++
      countLostEvent('buffer_full')
      return
    }
    buffer.push(event)
    if (buffer.length >= batchSize && !sending) void flush()
    else flushSoon()
  }

  return { emit, flush, stop: () => clearTimeout(timer) }
}

function openList({ waitingEvents, send }: Bus, log: Log) {
  const logFull = createThrottledLog((fields: { waiting: number }) =>
    log.warn(fields, 'analytics queue full: events are buffered in this process'),
  )
  let isFull = false
  let owesJob = false
  return {
    /** Returns false while the list is full. */
    async append(batch: AnalyticsEvent[]): Promise<boolean> {
      if (isFull && (await waitingEvents.count()) >= maxWaiting) return false
      const waiting = await waitingEvents.append(batch)
      isFull = waiting >= maxWaiting
      if (isFull) logFull('full', { waiting })
      // If the list was not empty, a job for it is queued already.
      owesJob ||= waiting <= batch.length
      if (owesJob)
        await send('storeEvents', {}, nextTime(Date.now())).then(
          () => {
            owesJob = false
          },
          () => undefined, // the next batch tries again, and the scheduled job runs every few seconds
        )
      return true
    },
  }
}

/** Returns the id and delay of the next job. All processes use the same id for the same time, so that the job is queued once. */
function nextTime(now: number): { id: string; delayMs: number } {
  const time = Math.floor(now / storedEveryMs) + 1
  return { id: `until-${time}`, delayMs: time * storedEveryMs + clocksDifferMs - now }
}
