import { z } from 'zod'

const keptSchemas = new WeakSet<z.ZodType>()

/** Declares a member that makes its resource stricter. A PUT that leaves it out keeps it (`afterPut`), and null resets it. */
export function kept<Schema extends z.ZodType>(schema: Schema) {
  const member = schema.nullable().optional().describe(`${schema.description}. If omitted, it stays. Null resets it`)
  keptSchemas.add(member)
  return member
}

/** Returns the value of a `kept` member after a PUT. `initial` is its value in a new resource. */
export function afterPut<Value>(sent: Value | null | undefined, stored: Value, initial: Value): Value {
  return sent === null ? initial : (sent ?? stored)
}

/** Returns a body that resets each `kept` member of the schema. */
export function resetsOf(schema: z.ZodType | undefined): Record<string, null> {
  if (!(schema instanceof z.ZodObject)) return {}
  const names = Object.keys(schema.shape).filter((name) => keptSchemas.has(schema.shape[name]))
  return Object.fromEntries(names.map((name) => [name, null]))
}
