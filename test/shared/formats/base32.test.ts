import { randomBytes } from 'node:crypto'
import { base32upper } from 'multiformats/bases/base32'
import { expect, test } from 'vitest'
import { decodeBase32, encodeBase32 } from '../../../shared/formats/base32.ts'

test('bytes are encoded as the library encodes them, and read back', () => {
  for (let length = 0; length < 300; length++) {
    const bytes = randomBytes(length)
    const text = encodeBase32(bytes)
    expect(text).toBe(base32upper.baseEncode(bytes))
    expect(decodeBase32(text)).toEqual(bytes)
  }
})

test('encoded texts that are kept take about a byte for each character', () => {
  const bytes = randomBytes(600)
  const count = 2_000
  const before = process.memoryUsage().heapUsed
  const kept = Array.from({ length: count }, () => encodeBase32(bytes))
  const perCharacter = (process.memoryUsage().heapUsed - before) / (count * 960)
  expect(kept.every((text) => text.length === 960)).toBe(true)
  // Characters that are appended one by one take 32 bytes each until the text is read.
  expect(perCharacter).toBeLessThan(8)
})
