import { INVALID_SPANID, INVALID_TRACEID, type SpanContext } from '@opentelemetry/api'

/** W3C Trace Context, section 3.2. A later version may have more fields at the end. */
const pattern = /^(?!ff)[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/
/** The characters of version `00`. */
const length = 55

/** Reads a `traceparent`. Returns undefined for any other value. */
export function readTraceparent(value: unknown): SpanContext | undefined {
  if (typeof value !== 'string' || value.length > 200 || !pattern.test(value)) return undefined
  if (value.length > length && value.startsWith('00')) return undefined
  const traceId = value.slice(3, 35)
  const spanId = value.slice(36, 52)
  if (traceId === INVALID_TRACEID || spanId === INVALID_SPANID) return undefined
  return { traceId, spanId, traceFlags: Number.parseInt(value.slice(53, length), 16) & 1, isRemote: true }
}

/** Returns the `traceparent` of the children of a span. */
export function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${traceFlags & 1}`
}
