import { randomBytes } from 'node:crypto'
import { base32upper } from 'multiformats/bases/base32'
import { expect, test } from 'vitest'
import { decodeBase32, encodeBase32 } from '../../../shared/formats/base32.ts'

test('base32 is that of RFC 4648, section 10, without padding', () => {
  const expected = ['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI']
  expect(expected.map((_, length) => encodeBase32(Buffer.from('foobar'.slice(0, length))))).toEqual(expected)
})

test('base32 of any length is that of the library', () => {
  for (let length = 0; length < 400; length++) {
    const bytes = randomBytes(length)
    const text = encodeBase32(bytes)
    expect(text).toBe(base32upper.baseEncode(bytes))
    expect(decodeBase32(text)).toEqual(bytes)
  }
})
