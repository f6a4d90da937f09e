import { type CborValue, isTag } from '../cbor.ts'

/** The time of a tdate (tag 0, RFC 3339); undefined for what is none. */
export function readTdate(value: CborValue): Date | undefined {
  const text = isTag(value) && value.tag === 0 ? value.value : undefined
  if (typeof text !== 'string') return undefined
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date
}
