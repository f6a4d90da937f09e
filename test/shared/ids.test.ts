import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { derivedId, derivedOrderedId } from '../../shared/ids.ts'

test('a derived id is the same in every version of the service', () => {
  expect(derivedId('a', 'b')).toBe('7e18f737-311b-8dc3-b2f2-69dd78396b03')
  expect(derivedOrderedId(new Date('2026-01-02T03:04:05.678Z'), 'a', 'b')).toBe('019b7ca9-8f2e-8dc3-b2f2-69dd78396b03')
})

test('a derived id is a UUID of version 8 with the bits of the hash', () => {
  for (let each = 0; each < 100; each++) {
    const digest = hash('sha256', String(each), 'buffer').subarray(0, 16)
    digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x80, 6)
    digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8)
    expect(derivedId(String(each)).replaceAll('-', '')).toBe(digest.toString('hex'))
    digest.writeUIntBE(each, 0, 6)
    expect(derivedOrderedId(new Date(each), String(each)).replaceAll('-', '')).toBe(digest.toString('hex'))
  }
})
