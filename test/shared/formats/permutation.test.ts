import { expect, test } from 'vitest'
import { permutation } from '../../../shared/formats/permutation.ts'

const key = Buffer.alloc(32, 1)

test('each index has a unique number below the size', () => {
  for (const [size, count] of [
    // A small size costs many rounds for each number.
    [100_000, 200],
    [300_000, 1_000],
    [1_000_000, 3_000],
  ] as const) {
    const numberOf = permutation(key, size)
    const numbers = Array.from({ length: count }, (_, place) => numberOf(place))
    expect(new Set(numbers).size).toBe(count)
    expect(numbers.every((number) => Number.isInteger(number) && number >= 0 && number < size)).toBe(true)
  }
})

test('the numbers of a key are the same in every version, so indexes of earlier versions are not allocated again', () => {
  const numberOf = permutation(key, 1_000_000)
  expect([0, 1, 2, 999_999].map(numberOf)).toEqual([269_609, 846_234, 116_873, 548_035])
})

test('another key gives another order', () => {
  const [one, other] = [permutation(key, 1_000_000), permutation(Buffer.alloc(32, 2), 1_000_000)]
  const places = Array.from({ length: 100 }, (_, place) => place)
  expect(places.filter((place) => one(place) === other(place)).length).toBeLessThan(3)
})

test('an index beyond the size has no number', () => {
  expect(() => permutation(key, 10)(10)).toThrow(RangeError)
  expect(() => permutation(key, 10)(-1)).toThrow(RangeError)
})
