import type { JsonSchema } from './openapi-names.ts'

/**
 * Returns a valid value of a printed schema: its own example, or one composed of the examples of its members. An optional member is
 * in it if it has an example. Returns undefined if a required member has none.
 */
export function exampleOf(schema: JsonSchema): unknown {
  return compose(schema)?.value
}

interface Composed {
  value: unknown
  /** Whether an example gave the value. Otherwise it is a default or a fallback. */
  isFromExample: boolean
}

function compose(schema: JsonSchema): Composed | undefined {
  const composed = composeItself(schema)
  return 'default' in schema && !composed?.isFromExample ? { value: schema.default, isFromExample: false } : composed
}

function composeItself(schema: JsonSchema): Composed | undefined {
  const examples = schema['x-examples'] ?? schema.examples
  // An empty list means that the field has no example.
  if (Array.isArray(examples)) return examples.length > 0 ? { value: examples[0], isFromExample: true } : undefined
  if ('const' in schema) return { value: schema.const, isFromExample: false }
  if (Array.isArray(schema.enum)) return { value: schema.enum[0], isFromExample: false }
  if (Array.isArray(schema.anyOf)) return firstOf(schema.anyOf)
  if (Array.isArray(schema.oneOf)) return firstOf(schema.oneOf)
  if (schema.type === 'object') return ofObject(schema)
  if (schema.type === 'array') return ofArray(schema)
  if (schema.type === 'boolean') return { value: false, isFromExample: false }
  return undefined
}

function firstOf(schemas: JsonSchema[]): Composed | undefined {
  const composed = schemas.map(compose)
  return composed.find((each) => each?.isFromExample) ?? composed.find((each) => each !== undefined)
}

function ofObject({ properties = {}, required = [] }: JsonSchema): Composed | undefined {
  const value: Record<string, unknown> = {}
  let isFromExample = false
  // Boundary: JSON Schema defines both types.
  for (const [name, member] of Object.entries(properties as Record<string, JsonSchema>)) {
    const its = compose(member)
    const isRequired = (required as string[]).includes(name)
    if (!its && isRequired) return undefined
    if (!its || !(isRequired || its.isFromExample)) continue
    value[name] = its.value
    isFromExample ||= its.isFromExample
  }
  return { value, isFromExample }
}

function ofArray({ items, minItems }: JsonSchema): Composed | undefined {
  const item = typeof items === 'object' && items !== null ? compose(items as JsonSchema) : undefined
  if (item && (item.isFromExample || Number(minItems ?? 0) > 0))
    return { value: [item.value], isFromExample: item.isFromExample }
  return Number(minItems ?? 0) > 0 ? undefined : { value: [], isFromExample: false }
}
