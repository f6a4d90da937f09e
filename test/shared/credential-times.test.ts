import { expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../../shared/clock.ts'
import { roundTime } from '../../shared/domain/issuance/credential-times.ts'

const at = new Date('2026-11-26T13:14:15.678Z')

test.each([
  ['day', '2026-11-26T00:00:00.000Z'],
  ['hour', '2026-11-26T13:00:00.000Z'],
  ['minute', '2026-11-26T13:14:00.000Z'],
  ['second', '2026-11-26T13:14:15.000Z'],
  [undefined, '2026-11-26T13:00:00.000Z'],
] as const)('a time is rounded down to the unit %s', (unit, rounded) => {
  expect(roundTime(at, undefined, unit).toISOString()).toBe(rounded)
})

test.each([
  [2 * dayMs, '2026-11-26T00:00:00.000Z'],
  [2 * dayMs - 1, '2026-11-26T13:00:00.000Z'],
  [2 * hourMs - 1, '2026-11-26T13:14:00.000Z'],
  [2 * minuteMs - 1, '2026-11-26T13:14:15.000Z'],
  [0, '2026-11-26T13:14:15.000Z'],
])('the unit day is smaller for a credential that is valid for %i ms', (validForMs, rounded) => {
  expect(roundTime(at, validForMs, 'day').toISOString()).toBe(rounded)
})

test('two credentials of a day have the same times', () => {
  const [morning, evening] = [new Date('2026-11-26T00:00:00Z'), new Date('2026-11-26T23:59:59.999Z')]
  expect(roundTime(morning, undefined, 'day')).toEqual(roundTime(evening, undefined, 'day'))
})
