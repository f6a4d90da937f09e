import { isUtf8 } from 'node:buffer'
import { type CborMap, type CborValue, maxCborDepth } from './cbor.ts'
import { FormatError } from './format-error.ts'

/**
 * Decodes exactly one item. Byte strings are views of the input. Integers beyond 2^53 are `bigint`. Tags stay `{tag, value}`, so that
 * bignums, dates and embedded CBOR encode to the same bytes again. Accepts indefinite lengths and long heads.
 * Throws `invalid_cbor` on truncated or trailing bytes, duplicate keys, more than 1,000 keys of one map that are not texts, invalid
 * UTF-8, unassigned simple values and nesting beyond `maxCborDepth`. The length of the input bounds work and memory. A byte can take 100
 * bytes of memory. For large inputs, `maxItems` is another bound.
 */
export function decodeCbor(bytes: Uint8Array, maxItems = Number.POSITIVE_INFINITY): CborValue {
  const reader = {
    bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
    offset: 0,
    itemsLeft: maxItems,
  }
  const value = readItem(reader, 0)
  if (reader.offset !== reader.bytes.length) throw malformed('trailing bytes')
  return value
}

interface Reader {
  readonly bytes: Buffer
  offset: number
  itemsLeft: number
}

const indefinite = -1
/** Maximum keys of a map that are not texts. An attacker can choose numbers, though not texts, with the same hash in a `Map`. */
const maxNonTextKeys = 1_000
const breakByte = 0xff

function readItem(reader: Reader, depth: number): CborValue {
  if (depth > maxCborDepth) throw malformed('nested too deeply')
  countItem(reader)
  const initial = readByte(reader)
  const major = initial >>> 5
  const info = initial & 0x1f
  if (major === 7) return readSimple(reader, info)
  const argument = readArgument(reader, info)
  switch (major) {
    case 0:
      return typeof argument === 'bigint' ? argument : definite(argument)
    case 1:
      return typeof argument === 'bigint' || argument === Number.MAX_SAFE_INTEGER
        ? -1n - BigInt(argument)
        : -1 - definite(argument)
    case 2:
      return readString(reader, major, argument)
    case 3:
      return utf8(readString(reader, major, argument))
    case 4:
      return readArray(reader, argument, depth)
    case 5:
      return readMap(reader, argument, depth)
    default:
      return { tag: definite(argument), value: readItem(reader, depth + 1) }
  }
}

function countItem(reader: Reader): void {
  if (reader.itemsLeft-- <= 0) throw malformed('too many items')
}

/** Reads the argument of a head: a number if it is safe, otherwise a bigint, and `indefinite` for additional information 31. */
function readArgument(reader: Reader, info: number): number | bigint {
  if (info < 24) return info
  if (info === 24) return readByte(reader)
  if (info === 25) return take(reader, 2).readUInt16BE()
  if (info === 26) return take(reader, 4).readUInt32BE()
  if (info === 27) {
    const wide = take(reader, 8).readBigUInt64BE()
    return wide <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(wide) : wide
  }
  if (info === 31) return indefinite
  throw malformed('reserved additional information')
}

function definite(argument: number | bigint): number {
  if (typeof argument === 'bigint') throw malformed('length or tag out of range')
  if (argument === indefinite) throw malformed('indefinite length where none is allowed')
  return argument
}

function readString(reader: Reader, major: number, argument: number | bigint): Buffer {
  if (argument !== indefinite) return take(reader, definite(argument))
  const chunks: Buffer[] = []
  while (!atBreak(reader)) {
    countItem(reader)
    const initial = readByte(reader)
    if (initial >>> 5 !== major) throw malformed('a chunk of another type')
    const chunk = take(reader, definite(readArgument(reader, initial & 0x1f)))
    if (major === 3) utf8(chunk)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function utf8(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw malformed('text that is not UTF-8')
  return bytes.toString()
}

function readArray(reader: Reader, argument: number | bigint, depth: number): CborValue[] {
  const items: CborValue[] = []
  if (argument === indefinite) {
    while (!atBreak(reader)) items.push(readItem(reader, depth + 1))
    return items
  }
  const size = definite(argument)
  if (size > remaining(reader)) throw malformed('an array longer than the input')
  for (let i = 0; i < size; i++) items.push(readItem(reader, depth + 1))
  return items
}

function readMap(reader: Reader, argument: number | bigint, depth: number): CborMap {
  const map: CborMap = new Map()
  let nonTextKeys = 0
  const readEntry = () => {
    const key = readItem(reader, depth + 1)
    if (typeof key !== 'string' && ++nonTextKeys > maxNonTextKeys)
      throw malformed('a large map whose keys are not texts')
    // RFC 8949, section 5.6: a map with duplicate keys is invalid, and two readers may disagree about it.
    if (map.has(key)) throw malformed('a duplicate key')
    map.set(key, readItem(reader, depth + 1))
  }
  if (argument === indefinite) {
    while (!atBreak(reader)) readEntry()
    return map
  }
  const size = definite(argument)
  if (size * 2 > remaining(reader)) throw malformed('a map longer than the input')
  for (let i = 0; i < size; i++) readEntry()
  return map
}

function readSimple(reader: Reader, info: number): CborValue {
  switch (info) {
    case 20:
      return false
    case 21:
      return true
    case 22:
      return null
    case 23:
      return undefined
    case 25:
      return halfValue(take(reader, 2).readUInt16BE())
    case 26:
      return take(reader, 4).readFloatBE()
    case 27:
      return take(reader, 8).readDoubleBE()
    default:
      throw malformed('an unassigned simple value or a stray break')
  }
}

function halfValue(bits: number): number {
  const exponent = (bits >>> 10) & 0x1f
  const fraction = bits & 0x3ff
  const sign = bits & 0x8000 ? -1 : 1
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (1024 + fraction) * 2 ** (exponent - 25)
}

function atBreak(reader: Reader): boolean {
  if (reader.bytes[reader.offset] !== breakByte) return false
  reader.offset++
  return true
}

function readByte(reader: Reader): number {
  const byte = reader.bytes[reader.offset++]
  if (byte === undefined) throw malformed('truncated')
  return byte
}

function take(reader: Reader, size: number): Buffer {
  if (size > remaining(reader)) throw malformed('truncated')
  const start = reader.offset
  reader.offset += size
  return reader.bytes.subarray(start, reader.offset)
}

function remaining(reader: Reader): number {
  return reader.bytes.length - reader.offset
}

function malformed(what: string): FormatError {
  return new FormatError('invalid_cbor', what)
}
