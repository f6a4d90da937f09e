import { expect, test } from 'vitest'
import { addDuration } from '../../../shared/formats/calendar-duration.ts'

test.each([
  ['2025-01-31T10:00:00.000Z', { months: 1 }, '2025-02-28T10:00:00.000Z'],
  ['2024-01-31T10:00:00.000Z', { months: 1 }, '2024-02-29T10:00:00.000Z'],
  ['2024-02-29T00:00:00.000Z', { years: 1 }, '2025-02-28T00:00:00.000Z'],
  ['2024-02-29T00:00:00.000Z', { years: 4 }, '2028-02-29T00:00:00.000Z'],
  ['2025-12-31T23:59:59.999Z', { months: 2, days: 1 }, '2026-03-01T23:59:59.999Z'],
  ['2025-03-30T00:30:00.000Z', { hours: 24 }, '2025-03-31T00:30:00.000Z'],
  ['2025-01-01T00:00:00.000Z', { weeks: 1, minutes: 61, seconds: 61 }, '2025-01-08T01:02:01.000Z'],
])('%s and %j is %s', (at, duration, expected) => {
  expect(addDuration(new Date(at), duration).toISOString()).toBe(expected)
})
