import type { ReadableSpan } from '@opentelemetry/sdk-trace'

/** A time of the SDK: seconds and nanoseconds. */
type Time = ReadableSpan['startTime']
type Attributes = ReadableSpan['attributes']

/** Returns the text before the first span. All spans of a process have one resource and one scope. */
export function headOf({ resource, instrumentationScope }: ReadableSpan): string {
  const scope = `{"name":${JSON.stringify(instrumentationScope.name)}}`
  const attributes = writeAttributes(resource.attributes)
  return `{"resourceSpans":[{"resource":{"attributes":${attributes}},"scopeSpans":[{"scope":${scope},"spans":[`
}

/** The text after the last span. */
export const tail = ']}]}]}'

/** Writes a span as OTLP in JSON. Its ids are written as they are, because the SDK creates them. */
export function writeSpan(span: ReadableSpan): string {
  const { traceId, spanId } = span.spanContext()
  const parent = span.parentSpanContext ? `"parentSpanId":"${span.parentSpanContext.spanId}",` : ''
  const status = span.status.code === 0 ? '' : `,"status":{"code":${span.status.code}}`
  // The kinds of OTLP begin with 1.
  return `{"traceId":"${traceId}","spanId":"${spanId}",${parent}"name":${JSON.stringify(span.name)},"kind":${span.kind + 1},"startTimeUnixNano":"${nanoseconds(span.startTime)}","endTimeUnixNano":"${nanoseconds(span.endTime)}","attributes":${writeAttributes(span.attributes)}${status}}`
}

function nanoseconds([seconds, rest]: Time): string {
  return seconds + String(rest).padStart(9, '0')
}

function writeAttributes(attributes: Attributes): string {
  let text = ''
  for (const key in attributes) {
    const value = attributes[key]
    if (text !== '') text += ','
    text += `{"key":${JSON.stringify(key)},"value":${writeValue(value)}}`
  }
  return `[${text}]`
}

/** Spans have texts and integers. Resources also have lists. */
function writeValue(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? `{"intValue":"${value}"}` : `{"doubleValue":${value}}`
  if (typeof value === 'boolean') return `{"boolValue":${value}}`
  if (Array.isArray(value)) return `{"arrayValue":{"values":[${value.map(writeValue).join(',')}]}}`
  return `{"stringValue":${JSON.stringify(String(value))}}`
}
