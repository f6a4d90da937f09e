import { FormatError } from './format-error.ts'

/** What CBOR can hold here. Maps are `Map`s in wire order, byte strings are `Uint8Array`s, tags are `{tag, value}`. */
export type CborValue =
  | number
  | bigint
  | string
  | boolean
  | null
  | undefined
  | Uint8Array
  | CborTag
  | CborArray
  | CborMap
export type CborMap = Map<CborValue, CborValue>
export interface CborArray extends ReadonlyArray<CborValue> {}
export interface CborTag {
  readonly tag: number
  readonly value: CborValue
}

/** Levels of arrays, maps and tags that encoder and decoder follow. */
export const maxDepth = 256

/** A tagged item, for the tags without a function of their own below. */
export function tagged(tag: number, value: CborValue): CborTag {
  return { tag, value }
}

/** tdate (tag 0) in whole seconds, as ISO/IEC 18013-5 has it. */
export function dateTime(at: Date): CborTag {
  return { tag: 0, value: `${at.toISOString().slice(0, 19)}Z` }
}

/** full-date (tag 1004, RFC 8943). `text` is YYYY-MM-DD. */
export function fullDate(text: string): CborTag {
  return { tag: 1004, value: text }
}

/** biguint (tag 2), always tagged however small: X.509 serial numbers of VICAL entries are. */
export function bigUint(value: bigint): CborTag {
  return { tag: 2, value: bigUintBytes(value) }
}

/** Encoded CBOR data item (tag 24); the bytes are kept as they are. */
export function encodedCbor(bytes: Uint8Array): CborTag {
  return { tag: 24, value: bytes }
}

export function isTag(value: CborValue): value is CborTag {
  return typeof value === 'object' && value !== null && 'tag' in value
}

/** The bytes of a tag 2 item: big-endian, no leading zero, empty for 0. */
export function bigUintBytes(value: bigint): Buffer {
  if (value < 0n) throw new FormatError('invalid_cbor', 'a biguint is not negative')
  const hex = value === 0n ? '' : value.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
}

/** The number in the bytes of a tag 2 item. */
export function bigUintValue(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}
