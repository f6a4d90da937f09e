import {
  bigUintBytes,
  type CborArray,
  type CborMap,
  type CborTag,
  type CborValue,
  isTag,
  maxCborDepth,
} from './cbor.ts'
import { FormatError } from './format-error.ts'

/**
 * Encodes deterministically (RFC 8949, section 4.2.1), but map keys keep their insertion order. Lengths are definite and heads as short
 * as possible. Integral numbers are integers: beyond 2^53 only as `bigint`, beyond 64 bits as bignums. Other numbers are the shortest
 * exact float. Throws `invalid_cbor` for ill-formed strings and nesting beyond `maxCborDepth`.
 */
export function encodeCbor(value: CborValue): Buffer {
  length = 0
  writeValue(value, 0)
  const encoded = scratch.subarray(0, length)
  if (scratch.length <= scratchLimitBytes) return Buffer.from(encoded)
  const isFull = length > scratch.length / 2
  scratch = Buffer.alloc(initialBytes)
  // A large result is returned without a copy, unless the buffer is much larger than the result.
  return isFull ? encoded : Buffer.from(encoded)
}

/** Encodes the head of a map or an array whose items are encoded separately. */
export function encodeHead(kind: 'array' | 'map', size: number): Buffer {
  length = 0
  writeHead(kind === 'array' ? 0x80 : 0xa0, size)
  return Buffer.from(scratch.subarray(0, length))
}

const initialBytes = 8 * 1024
const scratchLimitBytes = 256 * 1024
// All calls share one buffer. Encoding is synchronous and calls no other code, so that calls never overlap.
let scratch = Buffer.alloc(initialBytes)
let length = 0

function writeValue(value: CborValue, depth: number): void {
  if (typeof value === 'string') writeText(value)
  else if (typeof value === 'number') writeNumber(value)
  else if (typeof value === 'boolean') writeByte(value ? 0xf5 : 0xf4)
  else if (value === null) writeByte(0xf6)
  else if (value === undefined) writeByte(0xf7)
  else if (typeof value === 'bigint') writeBigInt(value)
  else if (value instanceof Uint8Array) writeBytes(value)
  else writeContainer(value, depth)
}

function writeContainer(value: CborTag | CborArray | CborMap, depth: number): void {
  if (depth >= maxCborDepth) throw new FormatError('invalid_cbor', 'nested too deeply')
  if (value instanceof Map) {
    writeHead(0xa0, value.size)
    for (const [key, item] of value) {
      writeValue(key, depth + 1)
      writeValue(item, depth + 1)
    }
  } else if (isTag(value)) {
    writeHead(0xc0, value.tag)
    writeValue(value.value, depth + 1)
  } else if (Array.isArray(value)) {
    writeHead(0x80, value.length)
    for (const item of value) writeValue(item, depth + 1)
  } else {
    throw new FormatError('invalid_cbor', 'a map is a Map, not a plain object')
  }
}

function writeText(text: string): void {
  if (!text.isWellFormed()) throw new FormatError('invalid_cbor', 'text with a lone surrogate')
  const bytes = Buffer.byteLength(text)
  writeHead(0x60, bytes)
  reserve(bytes)
  length += scratch.write(text, length)
}

function writeBytes(bytes: Uint8Array): void {
  writeHead(0x40, bytes.length)
  reserve(bytes.length)
  scratch.set(bytes, length)
  length += bytes.length
}

function writeNumber(value: number): void {
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) writeFloat(value)
  else if (value >= 0) writeHead(0x00, value)
  else writeHead(0x20, -1 - value)
}

function writeBigInt(value: bigint): void {
  const argument = value < 0n ? -1n - value : value
  if (argument <= 0xffffffffffffffffn) {
    writeHead(value < 0n ? 0x20 : 0x00, argument)
  } else {
    writeHead(0xc0, value < 0n ? 3 : 2)
    writeBytes(bigUintBytes(argument))
  }
}

/** Writes the shortest head for a major type (in the high three bits) and its argument. */
function writeHead(major: number, argument: number | bigint): void {
  reserve(9)
  if (argument < 24) {
    scratch[length++] = major | Number(argument)
  } else if (argument < 0x100) {
    scratch[length++] = major | 24
    scratch[length++] = Number(argument)
  } else if (argument < 0x10000) {
    scratch[length++] = major | 25
    length = scratch.writeUInt16BE(Number(argument), length)
  } else if (argument < 0x100000000) {
    scratch[length++] = major | 26
    length = scratch.writeUInt32BE(Number(argument), length)
  } else {
    scratch[length++] = major | 27
    length = scratch.writeBigUInt64BE(BigInt(argument), length)
  }
}

function writeFloat(value: number): void {
  reserve(9)
  const half = halfBits(value)
  if (half !== undefined) {
    scratch[length++] = 0xf9
    length = scratch.writeUInt16BE(half, length)
  } else if (Object.is(Math.fround(value), value)) {
    scratch[length++] = 0xfa
    length = scratch.writeFloatBE(value, length)
  } else {
    scratch[length++] = 0xfb
    length = scratch.writeDoubleBE(value, length)
  }
}

const single = new DataView(new ArrayBuffer(4))

/** Returns the half-precision bits of a number, or undefined if they are not exact. */
function halfBits(value: number): number | undefined {
  if (Number.isNaN(value)) return 0x7e00
  single.setFloat32(0, value)
  if (single.getFloat32(0) !== value) return undefined
  const bits = single.getUint32(0)
  const sign = (bits >>> 16) & 0x8000
  const exponent = ((bits >>> 23) & 0xff) - 127
  const fraction = bits & 0x7fffff
  if (exponent === 128) return sign | 0x7c00
  if (exponent >= -14 && exponent <= 15) {
    return (fraction & 0x1fff) === 0 ? sign | ((exponent + 15) << 10) | (fraction >>> 13) : undefined
  }
  // Zero or a subnormal half is a multiple of 2^-24 below 2^-14.
  const multiple = Math.abs(value) * 2 ** 24
  return exponent < -14 && Number.isInteger(multiple) ? sign | multiple : undefined
}

function writeByte(byte: number): void {
  reserve(1)
  scratch[length++] = byte
}

function reserve(bytes: number): void {
  if (length + bytes <= scratch.length) return
  const larger = Buffer.alloc(Math.max(scratch.length * 2, length + bytes))
  scratch.copy(larger, 0, 0, length)
  scratch = larger
}
