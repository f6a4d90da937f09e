import { describe, expect, test } from 'vitest'
import { type CborValue, dateTime, fullDate, maxCborDepth } from '../../../shared/formats/cbor.ts'
import { decodeCbor } from '../../../shared/formats/cbor-decode.ts'
import { encodeCbor } from '../../../shared/formats/cbor-encode.ts'
import { cborToJson, jsonToCbor } from '../../../shared/formats/cbor-json.ts'

const hex = (value: CborValue) => encodeCbor(value).toString('hex')
const read = (text: string) => decodeCbor(Buffer.from(text, 'hex'))

describe('encoding', () => {
  test('dates and full dates have their tags', () => {
    expect(hex(dateTime(new Date('2024-12-17T01:02:03.987Z')))).toBe(
      `c074${Buffer.from('2024-12-17T01:02:03Z').toString('hex')}`,
    )
    expect(hex(fullDate('1990-01-31'))).toBe(`d903ec6a${Buffer.from('1990-01-31').toString('hex')}`)
  })

  test('a lone surrogate, a function and endless nesting are refused', () => {
    const endless: CborValue[] = []
    endless.push(endless)
    expect(() => encodeCbor('\ud800')).toThrow('lone surrogate')
    expect(() => jsonToCbor(() => 1)).toThrow('not a JSON value')
    expect(() => encodeCbor(endless)).toThrow('nested too deeply')
    expect(() => jsonToCbor(endless)).toThrow('nested too deeply')
  })

  test('encoded bytes are not overwritten by the next call or a failed one', () => {
    const first = encodeCbor('first')
    expect(() => encodeCbor(['x', '\ud800'])).toThrow()
    encodeCbor(Buffer.alloc(1_000_000, 1))
    expect(first.toString('hex')).toBe(hex('first'))
  })
})

describe('decoding refuses', () => {
  test.each([
    ['nothing', ''],
    ['trailing bytes', '0000'],
    ['a truncated string', '62'],
    ['an array longer than the input', '9bffffffffffffffff'],
    ['a huge array length', '9a7fffffff'],
    ['a map longer than the input', 'ba7fffffff'],
    ['a duplicate key', 'a201020103'],
    ['bad UTF-8', '62c328'],
    ['a stray break', 'ff'],
    ['an indefinite integer', '1f'],
    ['an indefinite tag', 'df00'],
    ['a chunk of another type', '5f6161ff'],
    ['an open array', '9f01'],
    ['nesting without end', '81'.repeat(maxCborDepth + 5)],
    ['100,000 nested tags', 'c1'.repeat(100_000)],
  ])('%s', (_, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'invalid_cbor' }))
  })
})

test('integers beyond 2^53 stay exact', () => {
  for (const value of [2n ** 64n - 1n, -(2n ** 64n), 2n ** 53n, -(2n ** 53n) - 1n]) {
    expect(decodeCbor(encodeCbor(value))).toBe(value)
  }
  expect(decodeCbor(encodeCbor(-(2n ** 53n)))).toBe(-(2n ** 53n))
  expect(cborToJson(decodeCbor(encodeCbor(2n ** 70n)))).toBe((2n ** 70n).toString())
})

test('JSON survives encoding and decoding, including key order, __proto__ and Unicode', () => {
  const text =
    '{"z":1,"a":[true,null,1.5,-0.1,{"__proto__":{"admin":true}}],"__proto__":"x","ключ":"значение 😀","":""}'
  const back = cborToJson(decodeCbor(encodeCbor(jsonToCbor(JSON.parse(text)))))
  expect(JSON.stringify(back)).toBe(text)
  expect(Object.getPrototypeOf(back)).toBe(Object.prototype)
})

test.each([200_000, 300_000, 700_000])('%i encoded bytes do not change while more is encoded', (size) => {
  const encoded = encodeCbor(['one', Buffer.alloc(size, 1), 'end'])
  const expected = Buffer.from(encoded)
  for (const fill of [2, 3]) encodeCbor([Buffer.alloc(size, fill), Buffer.alloc(size, fill)])
  expect(encoded.equals(expected)).toBe(true)
  const [first, bytes, last] = decodeCbor(encoded) as [string, Uint8Array, string]
  expect([first, last]).toEqual(['one', 'end'])
  // `toEqual` compares byte by byte, which takes a second.
  expect(Buffer.alloc(size, 1).equals(bytes)).toBe(true)
})
