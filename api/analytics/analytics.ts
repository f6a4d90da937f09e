import { AsyncLocalStorage } from 'node:async_hooks'
import { recordOneByOne, recordWithNext } from '../../db/record-events.ts'
import type { AnalyticsEvent } from '../../shared/domain/operations/events.ts'
import { isOutage } from '../../shared/errors/errors.ts'
import { countLostEvent } from '../../shared/metrics/lost-events.ts'
import type { Deps } from '../deps.ts'
import type { Analytics } from '../http/analytics.ts'
import { createAnonymousEventAggregator } from './anonymous-event-aggregator.ts'

/** Events are stored with the first transaction of the process after this time. Waiting events are lost when the process is killed. */
const afterMs = 10
/** Without such a transaction, events are stored after this time. */
const withinMs = 20
/** The pause after a failed attempt, so that an unavailable database is not asked 50 times per second. */
const retryMs = 250
/** The number of events of one transaction. It blocks other writers for about 3 ms. */
const batchSize = 250
/** The number of events that the process buffers while the database is unavailable. */
const maxBuffered = 50_000

type AnalyticsDeps = Pick<Deps, 'db' | 'clock' | 'log'>

/** Creates the collector of events. It stores them in batches. */
export function createAnalytics(deps: AnalyticsDeps): Analytics {
  const { emit, flush } = createBuffer(deps)
  const aggregator = createAnonymousEventAggregator(emit)
  return {
    emit,
    emitAnonymous: aggregator.record,
    countAnonymous: aggregator.count,
    async close() {
      aggregator.flush()
      await flush()
    },
  }
}

/** Buffers events and stores them in batches. Drops events if the buffer is full. */
function createBuffer(deps: AnalyticsDeps) {
  const { log } = deps
  let buffer: AnalyticsEvent[] = []
  let dropped = 0
  let storing: Promise<void> | undefined
  let isClosing = false
  /** A batch has events of many requests, so its transaction belongs to the trace of none of them. */
  const outsideOfRequests = AsyncLocalStorage.snapshot()

  /** Stores the first events of the buffer, and those that arrive until the transaction begins. */
  async function storeBatch(wait: Wait): Promise<void> {
    let batch: AnalyticsEvent[] = []
    const take = () => {
      batch = buffer.slice(0, batchSize)
      return batch
    }
    await recordWithNext(deps, take, wait).catch(async (error: unknown) => {
      if (isOutage(error)) throw error
      await recordOneByOne(deps, batch)
    })
    buffer = buffer.slice(batch.length)
    if (dropped > 0) log.warn({ dropped }, 'analytics events dropped')
    dropped = 0
  }

  function begin(wait: Wait): void {
    storing ??= outsideOfRequests(() => storeBatch(wait))
      .then(
        (): Wait | undefined => (buffer.length < batchSize ? { afterMs, withinMs } : { withinMs: 0 }),
        () => (isClosing ? undefined : { afterMs: retryMs, withinMs: retryMs }),
      )
      .then((next) => {
        storing = undefined
        if (next && buffer.length > 0) begin(next)
      })
  }

  function emit(event: AnalyticsEvent): void {
    if (buffer.length >= maxBuffered) {
      dropped++
      countLostEvent('buffer_full')
      return
    }
    buffer.push(event)
    begin({ afterMs, withinMs })
  }

  /** Waits until the buffer is empty. During an outage, waits for one more attempt. */
  async function flush(): Promise<void> {
    isClosing = true
    while (storing) await storing
    isClosing = false
  }

  return { emit, flush }
}

interface Wait {
  afterMs?: number
  withinMs: number
}
