import type { AnalyticsEvent } from '../../shared/domain/operations/events.ts'
import { newOrderedId } from '../../shared/ids.ts'

/** Requests that came from nobody and are many: the first are told one by one, the rest of the minute as a number. */
export interface AnonymousEventAggregator {
  /** `start` is absent where the request did not get that far; `end` is how it ended. Returns the name of the crowd. */
  record(start: AnalyticsEvent | undefined, end: AnalyticsEvent): string
  /**
   * Counts one more request that ended as the last of its crowd did, for which no event need be made. False, and it is not
   * counted, where it is among the first of the minute, which are to be told.
   */
  count(crowd: string, requestId: string, at: Date): boolean
  /** Tells the numbers of the minute so far. */
  flush(): void
}

/** Of one tenant, type, thing, kind of error and minute; of one offer where it is about one, so that its timeline shows them. */
const toldOneByOne = 20

interface Counted {
  count: number
  last: AnalyticsEvent
  /** What came after `last`, and was counted alone. */
  later: { requestId: string; at: Date } | undefined
}

/**
 * A flood must not become a row each: what is beyond the first is one event per minute, with the last request's id and the
 * `count` of all of them in its `data`.
 */
export function createAnonymousEventAggregator(emit: (event: AnalyticsEvent) => void): AnonymousEventAggregator {
  let minute = 0
  const counted = new Map<string, Counted>()
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    for (const { count, last, later } of counted.values()) {
      const beyond = count - toldOneByOne
      if (beyond > 0) emit({ ...last, ...(later && told(later)), data: { ...last.data, count: beyond } })
    }
    counted.clear()
  }

  return {
    record(start, end) {
      const itsMinute = minuteOf(Date.parse(end.timestamp))
      if (itsMinute !== minute) flush()
      minute = itsMinute
      const crowd = [end.tenantId, end.type, end.offerId, end.data.id, errorOf(end)].join(' ')
      const count = (counted.get(crowd)?.count ?? 0) + 1
      counted.set(crowd, { count, last: end, later: undefined })
      timer ??= setTimeout(flush, 60_000)
      if (count > toldOneByOne) return crowd
      if (start) emit(start)
      emit(end)
      return crowd
    },
    count(crowd, requestId, at) {
      const known = minuteOf(at.getTime()) === minute ? counted.get(crowd) : undefined
      if (!known || known.count < toldOneByOne) return false
      known.count++
      known.later = { requestId, at }
      return true
    },
    flush,
  }
}

function minuteOf(ms: number): number {
  return Math.floor(ms / 60_000)
}

function told({ requestId, at }: { requestId: string; at: Date }) {
  return { id: newOrderedId(at), timestamp: at.toISOString(), requestId }
}

function errorOf({ data: { error } }: AnalyticsEvent): unknown {
  return typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined
}
