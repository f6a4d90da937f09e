import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createAnonymousEventAggregator } from '../../api/analytics/anonymous-event-aggregator.ts'
import type { AnalyticsEvent } from '../../shared/domain/operations/events.ts'
import { newId } from '../../shared/ids.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-01T12:00:00.000Z') })
})
afterEach(() => {
  vi.useRealTimers()
})

function refusal(): AnalyticsEvent {
  const id = newId()
  const timestamp = new Date().toISOString()
  const data = { error: { type: 'ServiceUnavailable' } }
  return { id, tenantId: 'tenant', type: 'USER_RETRIEVE_FAIL', category: 'USERS', timestamp, requestId: id, data }
}

test('the number of requests beyond the first 20 of a minute is emitted after 5 s, so that a killed process loses no more', () => {
  const emitted: AnalyticsEvent[] = []
  const aggregator = createAnonymousEventAggregator((event) => emitted.push(event))
  const record = (times: number) => Array.from({ length: times }, () => aggregator.record([refusal()])).at(-1)
  const newCounts = () => emitted.splice(0).map(({ data }) => data.count)

  const eventGroup = record(70) ?? ''
  expect(newCounts()).toEqual(Array(20).fill(undefined))
  vi.advanceTimersByTime(5_000)
  expect(newCounts()).toEqual([50])
  record(3)
  for (let n = 0; n < 4; n++) expect(aggregator.count(eventGroup, newId(), new Date())).toBe(true)
  expect(newCounts()).toEqual([])
  vi.advanceTimersByTime(5_000)
  expect(newCounts()).toEqual([7])
  vi.advanceTimersByTime(5_000)
  expect(newCounts()).toEqual([])

  record(2)
  vi.advanceTimersByTime(50_000)
  record(25)
  aggregator.flush()
  expect(newCounts()).toEqual([2, ...Array(20).fill(undefined), 5])
})

test('each event has its own id', () => {
  const ids: string[] = []
  const aggregator = createAnonymousEventAggregator(({ id }) => ids.push(id))
  for (let round = 0; round < 5; round++) {
    const eventGroup = Array.from({ length: 30 }, () => aggregator.record([refusal()])).at(-1) ?? ''
    vi.advanceTimersByTime(5_000)
    aggregator.count(eventGroup, newId(), new Date())
    vi.advanceTimersByTime(5_000)
  }
  expect(new Set(ids).size).toBe(ids.length)
})
