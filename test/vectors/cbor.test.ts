import { readFileSync } from 'node:fs'
import { decode, encode, Tag } from 'cbor2'
import { describe, expect, test } from 'vitest'
import { type CborValue, isTag } from '../../shared/formats/cbor.ts'
import { decodeCbor } from '../../shared/formats/cbor-decode.ts'
import { encodeCbor } from '../../shared/formats/cbor-encode.ts'
import { parseSign1 } from '../../shared/formats/cose.ts'
import { FormatError } from '../../shared/formats/format-error.ts'
import { randomFrom } from '../harness/random-from.ts'
import { otherExamples, preferredExamples, unassignedExamples } from './rfc8949.ts'
import { hexBytes } from './wrapped.ts'

const vicals = ['walt-austroads.cbor', '20250225-RDW-Test-Vical.vical'].map((name) => `../shared/samples/vical/${name}`)

describe('RFC 8949, appendix A', () => {
  test.each([...preferredExamples, ...otherExamples])('the decoder reads %s', (hex, value) => {
    expect(decodeCbor(hexBytes(hex))).toEqual(value)
  })

  test.each(preferredExamples)('the encoder writes %s', (hex, value) => {
    expect(encodeCbor(value).toString('hex')).toBe(hex)
  })

  test.each(otherExamples)('the encoder writes the value of %s in preferred serialization', (hex, value) => {
    const preferred = encodeCbor(value)
    expect(preferred.length).toBeLessThanOrEqual(hex.length / 2)
    expect(decodeCbor(preferred)).toEqual(value)
  })

  test.each(unassignedExamples)('the decoder refuses %s, which no format of the service uses', (hex) => {
    expect(() => decodeCbor(hexBytes(hex))).toThrow('simple value')
  })
})

test.each(vicals)(
  'the encoder reproduces the bytes of %s from its parsed values (needs ../shared/samples)',
  { tags: 'samples' },
  (file) => {
    const bytes = readFileSync(file)
    const { payload } = parseSign1(bytes)
    expect(encodeCbor(decodeCbor(payload)).equals(payload)).toBe(true)
    expect(encodeCbor(decodeCbor(bytes)).equals(bytes)).toBe(true)
  },
)

describe('CBOR compared with cbor2', () => {
  const random = randomFrom(20_260_101)

  test('2,000 random values have the same bytes in both libraries and decode to the same values', () => {
    const wrong: unknown[] = []
    for (let i = 0; i < 2000; i++) {
      const value = randomValue(random, 4)
      const ours = encodeCbor(value)
      const isSame = ours.equals(encode(forOracle(value))) && encodeCbor(decodeCbor(ours)).equals(ours)
      if (!isSame) wrong.push(ours.toString('hex'))
      decode(ours, { preferMap: true })
    }
    expect(wrong).toEqual([])
  })

  test('the decoder reads or refuses random bytes and throws no other error', () => {
    const others: unknown[] = []
    for (let i = 0; i < 20_000; i++) {
      const bytes = Buffer.from(Array.from({ length: Math.floor(random() * 24) }, () => Math.floor(random() * 256)))
      try {
        decodeCbor(bytes)
      } catch (error) {
        const isRefused = error instanceof FormatError && error.code === 'invalid_cbor'
        if (!isRefused) others.push(error)
      }
    }
    expect(others).toEqual([])
  })
})

function randomValue(random: () => number, depth: number): CborValue {
  const pick = Math.floor(random() * (depth > 0 ? 11 : 8))
  const size = Math.floor(random() * 30)
  const integer = Math.floor(random() * 2 ** Math.floor(random() * 53)) * (random() < 0.5 ? 1 : -1)
  switch (pick) {
    case 0:
      return integer
    case 1:
      return BigInt(integer) * 4096n + 2n ** 60n
    case 2:
      return random() < 0.5 ? integer / 8 + 0.0625 : random() * 1e9 + 0.1
    case 3:
      return random() < 0.5
    case 4:
      return random() < 0.5 ? null : undefined
    case 5:
      return Buffer.from(Array.from({ length: size * 12 }, () => Math.floor(random() * 256)))
    case 6:
    case 7:
      return Array.from({ length: size }, () => String.fromCodePoint(32 + Math.floor(random() * 0xd000))).join('')
    case 8:
      return Array.from({ length: size }, () => randomValue(random, depth - 2))
    case 9:
      return new Map(
        Array.from({ length: size }, (_, i) => [random() < 0.5 ? i : `k${i}`, randomValue(random, depth - 2)]),
      )
    default:
      return { tag: 30_000 + size, value: randomValue(random, depth - 1) }
  }
}

/** cbor2 writes a Buffer as a map, adds its own tags and does not sort keys. */
function forOracle(value: CborValue): unknown {
  if (value instanceof Uint8Array) return new Uint8Array(value)
  if (value instanceof Map) return new Map([...value].map(([key, item]) => [key, forOracle(item)]))
  if (Array.isArray(value)) return value.map(forOracle)
  return isTag(value) ? new Tag(value.tag, forOracle(value.value)) : value
}
