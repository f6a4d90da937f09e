import type { JsonSchema } from './openapi-names.ts'

/**
 * A value that is true to a printed schema: its own example, or one that is made of those of its members. An optional member is
 * in it where it has an example. Undefined where a member that has to be there has none.
 */
export function exampleOf(schema: JsonSchema): unknown {
  return compose(schema)?.value
}

interface Composed {
  value: unknown
  /** Whether an example says it, or there is nothing else that it could be. */
  isTold: boolean
}

function compose(schema: JsonSchema): Composed | undefined {
  const composed = composeItself(schema)
  return 'default' in schema && !composed?.isTold ? { value: schema.default, isTold: false } : composed
}

function composeItself(schema: JsonSchema): Composed | undefined {
  const examples = schema['x-examples'] ?? schema.examples
  // None where the field says that it is to have none.
  if (Array.isArray(examples)) return examples.length > 0 ? { value: examples[0], isTold: true } : undefined
  if ('const' in schema) return { value: schema.const, isTold: false }
  if (Array.isArray(schema.enum)) return { value: schema.enum[0], isTold: false }
  if (Array.isArray(schema.anyOf)) return firstOf(schema.anyOf)
  if (Array.isArray(schema.oneOf)) return firstOf(schema.oneOf)
  if (schema.type === 'object') return ofObject(schema)
  if (schema.type === 'array') return ofArray(schema)
  if (schema.type === 'boolean') return { value: false, isTold: false }
  return undefined
}

function firstOf(schemas: JsonSchema[]): Composed | undefined {
  const composed = schemas.map(compose)
  return composed.find((each) => each?.isTold) ?? composed.find((each) => each !== undefined)
}

function ofObject({ properties = {}, required = [] }: JsonSchema): Composed | undefined {
  const value: Record<string, unknown> = {}
  let isTold = false
  // Boundary: both are so in a JSON Schema.
  for (const [name, member] of Object.entries(properties as Record<string, JsonSchema>)) {
    const its = compose(member)
    const isRequired = (required as string[]).includes(name)
    if (!its && isRequired) return undefined
    if (!its || !(isRequired || its.isTold)) continue
    value[name] = its.value
    isTold ||= its.isTold
  }
  return { value, isTold }
}

function ofArray({ items, minItems }: JsonSchema): Composed | undefined {
  const item = typeof items === 'object' && items !== null ? compose(items as JsonSchema) : undefined
  if (item && (item.isTold || Number(minItems ?? 0) > 0)) return { value: [item.value], isTold: item.isTold }
  return Number(minItems ?? 0) > 0 ? undefined : { value: [], isTold: false }
}
