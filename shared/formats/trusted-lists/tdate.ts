import { type CborValue, isTag } from '../cbor.ts'

/** Returns the time of a tdate (tag 0, RFC 3339), or undefined for any other value. */
export function readTdate(value: CborValue): Date | undefined {
  const text = isTag(value) && value.tag === 0 ? value.value : undefined
  if (typeof text !== 'string') return undefined
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date
}
