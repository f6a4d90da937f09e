import { z } from 'zod'

type Printed = z.core.JSONSchema._JSONSchema
type Place = { value: unknown; put(value: unknown): unknown }

/** Returns inputs of a schema. In each of them one member, at any depth, is replaced by one of `others`. */
export function* samplesOf(schema: z.ZodType, others: readonly unknown[]): Generator<unknown> {
  const printed = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })
  for (const sample of likenesses(printed)) {
    yield sample
    for (const { put } of placesIn(sample)) for (const other of others) yield put(other)
  }
}

/** Returns one sample for each alternative of the schema. */
function likenesses(printed: Printed | undefined): unknown[] {
  if (typeof printed !== 'object') return ['sample']
  const { type, properties, items, additionalProperties, anyOf, oneOf, allOf, format } = printed
  if (printed.const !== undefined) return [printed.const]
  if (printed.enum) return [printed.enum[0]]
  const options = anyOf ?? oneOf
  if (options) return options.flatMap(likenesses)
  if (allOf) return allOf.flatMap(likenesses)
  if (properties) return objects(properties)
  if (type === 'object') return likenesses(additionalProperties as Printed).map((value) => ({ claim: value }))
  if (type === 'array') return likenesses(items as Printed).map((item) => [item])
  if (type === 'boolean') return [true]
  if (type === 'number' || type === 'integer') return [1]
  return [formatted[format ?? ''] ?? 'sample']
}

const formatted: Record<string, string> = {
  uuid: '0b6a3a6c-5c1f-4d24-9d0a-1f0f6f1f2a3b',
  uri: 'https://example.com/sample',
  date: '2026-01-31',
  'date-time': '2026-01-31T12:00:00Z',
}

function objects(properties: Record<string, Printed>): unknown[] {
  const members = Object.entries(properties).map(([name, member]) => [name, likenesses(member)] as const)
  const first = Object.fromEntries(members.map(([name, [value]]) => [name, value]))
  const more = members.flatMap(([name, [, ...values]]) => values.map((value) => ({ ...first, [name]: value })))
  return [first, ...more]
}

function* placesIn(value: unknown): Generator<Place> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    const put = (other: unknown): unknown => {
      const copy: unknown[] | Record<string, unknown> = Array.isArray(value) ? [...value] : { ...value }
      if (other === undefined) Reflect.deleteProperty(copy, key)
      else Reflect.set(copy, key, other)
      return copy
    }
    yield { value: member, put }
    for (const deeper of placesIn(member)) yield { value: deeper.value, put: (other) => put(deeper.put(other)) }
  }
}
