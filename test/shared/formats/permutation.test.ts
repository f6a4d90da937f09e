import { FF1 } from '@noble/ciphers/ff1.js'
import { expect, test } from 'vitest'
import { numbersOf } from '../../../shared/formats/permutation.ts'

const key = Buffer.alloc(32, 1)
const first = (count: number) => ({ from: 0, to: count })

test('each place has a number of its own, below the size', () => {
  for (const size of [100_000, 300_000, 1_000_000]) {
    const numbers = numbersOf(key, size, first(3_000))
    expect(new Set(numbers).size).toBe(3_000)
    expect(numbers.every((number) => Number.isInteger(number) && number >= 0 && number < size)).toBe(true)
  }
})

test('the numbers of a key stay what they are: places given by earlier versions are never given again', () => {
  expect(numbersOf(key, 1_000_000, first(3))).toEqual([269_609, 846_234, 116_873])
  expect(numbersOf(key, 1_000_000, { from: 1, to: 2 })).toEqual([846_234])
  expect(numbersOf(key, 1_000_000, { from: 999_999, to: 1_000_000 })).toEqual([548_035])
})

test.each([6, 7, 9, 12, 15])('numbers of %i digits are FF1 as another library has it', (digits) => {
  const cipher = FF1(10, key)
  const from = 10 ** digits - 50
  const expected = Array.from({ length: 50 }, (_, at) =>
    Number(cipher.encrypt([...String(from + at)].map(Number)).join('')),
  )
  expect(numbersOf(key, 10 ** digits, { from, to: from + 50 })).toEqual(expected)
})

test('another key gives another order', () => {
  const [one, other] = [numbersOf(key, 1_000_000, first(100)), numbersOf(Buffer.alloc(32, 2), 1_000_000, first(100))]
  expect(one.filter((number, place) => number === other[place]).length).toBeLessThan(3)
})

test('there is no number for a place beyond the size', () => {
  expect(() => numbersOf(key, 10, { from: 10, to: 11 })).toThrow(RangeError)
  expect(() => numbersOf(key, 10, { from: -1, to: 0 })).toThrow(RangeError)
})
