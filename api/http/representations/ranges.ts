import { Problem } from '../../../shared/errors/errors.ts'

/** Offsets of the first and the last byte. */
export interface ByteRange {
  first: number
  last: number
}

const singleRange = /^bytes=\s*(?:(\d+)-(\d*)|-(\d+))\s*$/i

/**
 * Parses a `Range` header (RFC 9110, section 14.1.2). Returns undefined if the whole is to be sent: the header is malformed, has
 * another unit or has several ranges, which a server may ignore. Throws `range_not_satisfiable`.
 */
export function rangeOf(header: string, lengthBytes: number): ByteRange | undefined {
  const match = singleRange.exec(header)
  if (!match) return undefined
  const [, from, to, suffix] = match
  const end = lengthBytes - 1
  const range =
    suffix === undefined
      ? { first: Number(from), last: to ? Math.min(Number(to), end) : end }
      : { first: Math.max(0, lengthBytes - Number(suffix)), last: end }
  if (to && Number(to) < Number(from)) return undefined
  if (range.first > end) {
    throw new Problem('range_not_satisfiable', { headers: { 'Content-Range': `bytes */${lengthBytes}` } })
  }
  return range
}
