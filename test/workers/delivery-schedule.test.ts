import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { nextPauseMs, retryPausesMs } from '../../workers/delivery/schedule.ts'

// Times without a zone are UTC wherever the service runs.
beforeAll(() => void vi.stubEnv('TZ', 'America/New_York'))
afterAll(() => void vi.unstubAllEnvs())

const at = new Date('2026-03-01T12:00:00Z')
const none = () => 0
const pause = (attemptsMade: number, retryAfter?: string, random = none) =>
  nextPauseMs({ attemptsMade, retryAfter, at }, retryPausesMs, random)

test('the pauses are 5 s, 30 s, 2 min, 10 min, 30 min, 2 h, 6 h and 12 h, and then the delivery has failed', () => {
  const seconds = Array.from({ length: 9 }, (_, made) => pause(made + 1)).map((ms) => ms && ms / 1000)
  expect(seconds).toEqual([5, 30, 120, 600, 1800, 7200, 21_600, 43_200, undefined])
})

test('pauses are extended at random by less than a fifth', () => {
  expect(pause(2, undefined, () => 0.5)).toBe(33_000)
  expect(pause(2, undefined, () => 0.999)).toBeLessThan(36_000)
})

test.each([
  ['seconds', '60', 60_000],
  ['a date', 'Sun, 01 Mar 2026 12:10:00 GMT', 600_000],
  ['a date of the old kind', 'Sunday, 01-Mar-26 12:10:00 GMT', 600_000],
  ['a date of the oldest kind, which has no zone and is UTC', 'Sun Mar  1 12:10:00 2026', 600_000],
  ['a date without its zone', 'Sun, 01 Mar 2026 12:10:00', 600_000],
  ['less than the schedule', '1', 5_000],
  ['a date that is past', 'Sun, 01 Mar 2026 11:00:00 GMT', 5_000],
  ['more than half a day', '999999999', 43_200_000],
  ['digits without end', '9'.repeat(400), 43_200_000],
  ['a number that is none', '-5', 5_000],
  ['a date that is none', 'Sun, 99 Foo 2026', 5_000],
  ['a bare year', '2030-01-01', 5_000],
  ['nothing', '', 5_000],
])('Retry-After with %s', (_, retryAfter, expected) => {
  expect(pause(1, retryAfter)).toBe(expected)
})

test('Retry-After adds no attempts', () => {
  expect(pause(9, '60')).toBeUndefined()
})

test('an overloaded receiver gets a pause of at least a minute', () => {
  const rested = (attemptsMade: number, retryAfter?: string) =>
    nextPauseMs({ attemptsMade, retryAfter, isOverloaded: true, at }, retryPausesMs, none)
  expect([rested(1), rested(2), rested(3), rested(1, '90'), rested(9)]).toEqual([
    60_000,
    60_000,
    120_000,
    90_000,
    undefined,
  ])
})
