import type { AnalyticsEvent } from '../../shared/domain/operations/events.ts'
import { newOrderedId } from '../../shared/ids.ts'

/** Emits the first 20 anonymous events of a group per minute, then one event with the count of the others. */
export interface AnonymousEventAggregator {
  /** Records the events of one request, the end last. Returns the event group, unless there are no events. */
  record(events: AnalyticsEvent[]): string | undefined
  /**
   * Counts one more request that ended like the last one of its event group, without creating an event. Returns false and does not
   * count if the request is among the first of the minute, which get one event each.
   */
  count(eventGroup: string, requestId: string, at: Date): boolean
  /** Emits the counts of the current minute. */
  flush(): void
}

/**
 * The number of events per group that are emitted one by one. A group has the same tenant, type, resource, kind of error and minute,
 * and the same offer if there is one, so that the timeline of the offer shows the events.
 */
const maxSingleEvents = 20

interface Counted {
  count: number
  last: AnalyticsEvent
  /** The latest request after `last` that was counted without an event. */
  later: { requestId: string; at: Date } | undefined
}

/**
 * Creates an aggregator. It prevents that a flood of requests stores one row each. The requests beyond the first ones become one
 * event per minute, with the id of the last request and their `count` in its `data`.
 */
export function createAnonymousEventAggregator(emit: (event: AnalyticsEvent) => void): AnonymousEventAggregator {
  let minute = 0
  const counted = new Map<string, Counted>()
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    for (const { count, last, later } of counted.values()) {
      const beyond = count - maxSingleEvents
      if (beyond <= 0) continue
      emit({ ...last, ...(later && identify(later)), start: undefined, data: { ...last.data, count: beyond } })
    }
    counted.clear()
  }

  return {
    record(events) {
      const end = events.at(-1)
      if (!end) return undefined
      const itsMinute = minuteOf(Date.parse(end.timestamp))
      if (itsMinute !== minute) flush()
      minute = itsMinute
      const eventGroup = [end.tenantId, end.type, end.offerId, end.data.id, errorOf(end)].join(' ')
      const count = (counted.get(eventGroup)?.count ?? 0) + 1
      counted.set(eventGroup, { count, last: end, later: undefined })
      timer ??= setTimeout(flush, 60_000)
      if (count > maxSingleEvents) return eventGroup
      events.forEach(emit)
      return eventGroup
    },
    count(eventGroup, requestId, at) {
      const known = minuteOf(at.getTime()) === minute ? counted.get(eventGroup) : undefined
      if (!known || known.count < maxSingleEvents) return false
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

function identify({ requestId, at }: { requestId: string; at: Date }) {
  return { id: newOrderedId(at), timestamp: at.toISOString(), requestId }
}

function errorOf({ data: { error } }: AnalyticsEvent): unknown {
  return typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined
}
