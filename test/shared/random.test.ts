import { expect, it } from 'vitest'
import { smallRandomBytes } from '../../shared/random.ts'

it('no bytes are given away twice, and those that were stay as they are', () => {
  const given = Array.from({ length: 2_000 }, () => smallRandomBytes(32))
  const texts = given.map((bytes) => bytes.toString('hex'))
  expect(new Set(texts).size).toBe(given.length)
  expect(new Set(texts.flatMap((text) => text.match(/.{16}/g))).size).toBe(4 * given.length)
  smallRandomBytes(32)
  expect(given.map((bytes) => bytes.toString('hex'))).toEqual(texts)
})

it('every bit is as often set as not', () => {
  const bits = Array.from({ length: 64 }, () => 0)
  for (let draw = 0; draw < 4_000; draw++) {
    const number = smallRandomBytes(8).readBigUInt64BE()
    for (const bit of bits.keys()) bits[bit] = (bits[bit] ?? 0) + Number((number >> BigInt(bit)) & 1n)
  }
  // Eight standard deviations, of 32 each.
  for (const set of bits) expect(Math.abs(set - 2_000)).toBeLessThan(256)
})
