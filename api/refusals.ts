import type { AnalyticsEvent } from '../shared/events.ts'

/** Refusals of requests that came from nobody: the first are told one by one, the rest of the minute as a number. */
export interface Refusals {
  /** `start` is absent where the request did not get that far. */
  tell(start: AnalyticsEvent | undefined, fail: AnalyticsEvent): void
  /** Tells the numbers of the minute so far. */
  flush(): void
}

/** Of one tenant, type, kind of error and minute; of one offer where it is about one, so that its timeline shows them. */
const toldOneByOne = 20

interface Counted {
  count: number
  last: AnalyticsEvent
}

/**
 * A flood must not become a row each: what is beyond the first is one event per minute, with the last request's id and the
 * `count` of all of them in its `data`.
 */
export function createRefusals(emit: (event: AnalyticsEvent) => void): Refusals {
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
    tell(start, fail) {
      const itsMinute = fail.timestamp.slice(0, 'yyyy-mm-ddThh:mm'.length)
      if (itsMinute !== minute) flush()
      minute = itsMinute
      const key = [fail.tenantId, fail.type, fail.offerId, errorOf(fail)].join(' ')
      const count = (counted.get(key)?.count ?? 0) + 1
      counted.set(key, { count, last: fail })
      timer ??= setTimeout(flush, 60_000)
      if (count > toldOneByOne) return
      if (start) emit(start)
      emit(fail)
    },
    flush,
  }
}

function errorOf({ data: { error } }: AnalyticsEvent): unknown {
  return typeof error === 'object' && error !== null && 'type' in error ? error.type : undefined
}
