import type { Resource } from '@opentelemetry/resources'

/** Returns the text of a body before its first span. All spans of a process have one resource and one scope. */
export function headOf(resource: Resource, scope: string): string {
  const attributes = writeAttributes(resource.attributes)
  return `{"resourceSpans":[{"resource":{"attributes":${attributes}},"scopeSpans":[{"scope":{"name":${JSON.stringify(scope)}},"spans":[`
}

function writeAttributes(attributes: Resource['attributes']): string {
  const written = Object.entries(attributes).map(
    ([key, value]) => `{"key":${JSON.stringify(key)},"value":${writeValue(value)}}`,
  )
  return `[${written.join(',')}]`
}

function writeValue(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? `{"intValue":"${value}"}` : `{"doubleValue":${value}}`
  if (typeof value === 'boolean') return `{"boolValue":${value}}`
  if (Array.isArray(value)) return `{"arrayValue":{"values":[${value.map(writeValue).join(',')}]}}`
  return `{"stringValue":${JSON.stringify(String(value))}}`
}
