import { z } from 'zod'

type Printed = z.core.JSONSchema._JSONSchema

const namesBySchema = new WeakMap<z.ZodType, Set<string>>()

/** Returns the names of all members of a schema that are or contain secrets (`secret` in `fields.ts`). */
export function secretNames(schema: z.ZodType): Set<string> {
  const names = namesBySchema.get(schema) ?? new Set<string>()
  if (!namesBySchema.has(schema)) {
    namesBySchema.set(schema, names)
    holdsSecret(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }), names)
  }
  return names
}

/** Whether the schema contains a secret. Adds the names of its members that do. */
function holdsSecret(printed: Printed | undefined, names: Set<string>): boolean {
  if (typeof printed !== 'object') return false
  const members = Object.entries(printed.properties ?? {}).map(([name, member]) => {
    const isSecret = holdsSecret(member, names)
    if (isSecret) names.add(name)
    return isSecret
  })
  const { items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = printed
  const parts = [items, additionalProperties, ...anyOf, ...oneOf, ...allOf].flat()
  const within = parts.map((part) => holdsSecret(part, names))
  return printed.format === 'password' || members.includes(true) || within.includes(true)
}
