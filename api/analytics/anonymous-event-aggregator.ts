import type { AnalyticsEvent } from '../../shared/domain/operations/events.ts'
import { newOrderedId } from '../../shared/ids.ts'

/** Emits the first 20 anonymous events of a group per minute, then one event every 5 s with the count of the others. */
export interface AnonymousEventAggregator {
  /** Records the events of one request, the end last. Returns the event group, unless there are no events. */
  record(events: AnalyticsEvent[]): string | undefined
  /**
   * Counts one more request that ended like the last one of its event group, without creating an event. Returns false and does not
   * count if the request is among the first of the minute, which get one event each.
   */
  count(eventGroup: string, requestId: string, at: Date): boolean
  /** Emits the counts that have no event yet, and begins to count again. */
  flush(): void
}

/**
 * The number of events per group that are emitted one by one. A group has the same tenant, type, resource, kind of error and minute,
 * and the same offer if there is one, so that the timeline of the offer shows the events.
 */
const maxSingleEvents = 20
/** Counts are lost when the process is killed, so that they do not wait for the end of the minute. */
const countsEveryMs = 5_000

interface Counted {
  count: number
  /** The part of `count` that has events. */
  emitted: number
  last: AnalyticsEvent
  /** The latest request after `last` that was counted without an event. */
  later: { requestId: string; at: Date } | undefined
}

/**
 * Creates an aggregator. It prevents that a flood of requests stores one row each. The requests beyond the first ones become one
 * event every 5 s, with the id of the last request and their `count` in its `data`.
 */
export function createAnonymousEventAggregator(emit: (event: AnalyticsEvent) => void): AnonymousEventAggregator {
  let minute = 0
  const counted = new Map<string, Counted>()
  let timer: NodeJS.Timeout | undefined
  let countsTimer: NodeJS.Timeout | undefined

  function emitCounts(): void {
    clearTimeout(countsTimer)
    countsTimer = undefined
    for (const group of counted.values()) {
      if (group.emitted < group.count) emit(countEventOf(group))
      group.emitted = group.count
    }
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    emitCounts()
    counted.clear()
  }

  function emitCountsLater(): void {
    countsTimer ??= setTimeout(emitCounts, countsEveryMs)
  }

  return {
    record(events) {
      const end = events.at(-1)
      if (!end) return undefined
      const itsMinute = minuteOf(Date.parse(end.timestamp))
      if (itsMinute !== minute) flush()
      minute = itsMinute
      const eventGroup = [end.tenantId, end.type, end.offerId, end.data.id, errorOf(end)].join(' ')
      const { count, emitted } = counted.get(eventGroup) ?? { count: 0, emitted: 0 }
      const isSingle = count < maxSingleEvents
      counted.set(eventGroup, {
        count: count + 1,
        emitted: isSingle ? count + 1 : emitted,
        last: end,
        later: undefined,
      })
      timer ??= setTimeout(flush, 60_000)
      if (isSingle) events.forEach(emit)
      else emitCountsLater()
      return eventGroup
    },
    count(eventGroup, requestId, at) {
      const group = minuteOf(at.getTime()) === minute ? counted.get(eventGroup) : undefined
      if (!group || group.count < maxSingleEvents) return false
      group.count++
      group.later = { requestId, at }
      emitCountsLater()
      return true
    },
    flush,
  }
}

/** Returns the event of the requests that have no event yet. */
function countEventOf({ count, emitted, last, later }: Counted): AnalyticsEvent {
  return { ...last, ...(later && identify(later)), start: undefined, data: { ...last.data, count: count - emitted } }
}

function minuteOf(ms: number): number {
  return Math.floor(ms / 60_000)
}

function identify({ requestId, at }: { requestId: string; at: Date }) {
  return { id: newOrderedId(at), timestamp: at.toISOString(), requestId }
}

function errorOf({ data: { error } }: AnalyticsEvent): unknown {
  return typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined
}
