import { bigUintValue, type CborMap, type CborValue, isTag, maxCborDepth } from './cbor.ts'
import { FormatError } from './format-error.ts'

/**
 * Converts a parsed JSON value to CBOR values. Objects become `Map`s in key order. A `__proto__` key has no special meaning. Throws
 * `invalid_cbor` for a value that JSON does not have.
 */
export function jsonToCbor(value: unknown, depth = 0): CborValue {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (depth >= maxCborDepth) throw new FormatError('invalid_cbor', 'nested too deeply')
  if (Array.isArray(value)) return value.map((item) => jsonToCbor(item, depth + 1))
  if (typeof value !== 'object') throw new FormatError('invalid_cbor', `not a JSON value: ${typeof value}`)
  const map: CborMap = new Map()
  for (const [key, item] of Object.entries(value)) map.set(key, jsonToCbor(item, depth + 1))
  return map
}

/**
 * Converts a CBOR value to JSON: byte strings as base64url, bignums and integers beyond 2^53 as decimal text, dates as their text,
 * other tags as their content, and map keys as text.
 */
export function cborToJson(value: CborValue): unknown {
  if (value === undefined) return null
  if (typeof value === 'bigint') return value.toString()
  if (value === null || typeof value !== 'object') return value
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64url')
  if (value instanceof Map) {
    // fromEntries defines own properties, so a `__proto__` key cannot reach a prototype.
    return Object.fromEntries([...value].map(([key, item]) => [jsonKey(key), cborToJson(item)]))
  }
  if (!isTag(value)) return value.map(cborToJson)
  if (value.tag === 2 && value.value instanceof Uint8Array) return bigUintValue(value.value).toString()
  return cborToJson(value.value)
}

function jsonKey(key: CborValue): string {
  if (typeof key === 'string') return key
  const json = cborToJson(key)
  return typeof json === 'string' ? json : JSON.stringify(json)
}
