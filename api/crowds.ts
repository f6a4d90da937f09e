import type { AnalyticsEvent } from '../shared/events.ts'

/** Requests that came from nobody and are many: the first are told one by one, the rest of the minute as a number. */
export interface Crowds {
  /** `start` is absent where the request did not get that far; `end` is how it ended. */
  tell(start: AnalyticsEvent | undefined, end: AnalyticsEvent): void
  /** Tells the numbers of the minute so far. */
  flush(): void
}

/** Of one tenant, type, thing, kind of error and minute; of one offer where it is about one, so that its timeline shows them. */
const toldOneByOne = 20

interface Counted {
  count: number
  last: AnalyticsEvent
}

/**
 * A flood must not become a row each: what is beyond the first is one event per minute, with the last request's id and the
 * `count` of all of them in its `data`.
 */
export function createCrowds(emit: (event: AnalyticsEvent) => void): Crowds {
  let minute = ''
  const counted = new Map<string, Counted>()
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    for (const { count, last } of counted.values()) {
      const beyond = count - toldOneByOne
      if (beyond > 0) emit({ ...last, data: { ...last.data, count: beyond } })
    }
    counted.clear()
  }

  return {
    tell(start, end) {
      const itsMinute = end.timestamp.slice(0, 'yyyy-mm-ddThh:mm'.length)
      if (itsMinute !== minute) flush()
      minute = itsMinute
      const key = [end.tenantId, end.type, end.offerId, end.data.id, errorOf(end)].join(' ')
      const count = (counted.get(key)?.count ?? 0) + 1
      counted.set(key, { count, last: end })
      timer ??= setTimeout(flush, 60_000)
      if (count > toldOneByOne) return
      if (start) emit(start)
      emit(end)
    },
    flush,
  }
}

function errorOf({ data: { error } }: AnalyticsEvent): unknown {
  return typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined
}
