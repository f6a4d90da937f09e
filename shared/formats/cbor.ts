import { FormatError } from './format-error.ts'

/** A CBOR value. Maps are `Map`s in wire order, byte strings are `Uint8Array`s, tags are `{tag, value}`. */
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

/** Maximum levels of arrays, maps and tags for the encoder and decoder. */
export const maxCborDepth = 256

/** Returns a tagged item, for tags without a function below. */
export function tagged(tag: number, value: CborValue): CborTag {
  return { tag, value }
}

/** Returns a tdate (tag 0) in whole seconds, as ISO/IEC 18013-5 requires. */
export function dateTime(at: Date): CborTag {
  return { tag: 0, value: `${at.toISOString().slice(0, 19)}Z` }
}

/** Returns a full-date (tag 1004, RFC 8943). `text` is YYYY-MM-DD. */
export function fullDate(text: string): CborTag {
  return { tag: 1004, value: text }
}

/** Returns an encoded CBOR data item (tag 24) with unchanged bytes. */
export function encodedCbor(bytes: Uint8Array): CborTag {
  return { tag: 24, value: bytes }
}

export function isTag(value: CborValue): value is CborTag {
  return typeof value === 'object' && value !== null && 'tag' in value
}

/** Returns the bytes of a tag 2 item: big-endian, no leading zero, empty for 0. */
export function bigUintBytes(value: bigint): Buffer {
  if (value < 0n) throw new FormatError('invalid_cbor', 'a biguint is not negative')
  const hex = value === 0n ? '' : value.toString(16)
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')
}

/** Returns the number in the bytes of a tag 2 item. */
export function bigUintValue(bytes: Uint8Array): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}
