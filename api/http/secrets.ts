import { z } from 'zod'

type Printed = z.core.JSONSchema._JSONSchema

const known = new WeakMap<z.ZodType, Set<string>>()

/** Names of the members that are secrets (`secret` in `fields.ts`), or hold one, anywhere in what a schema takes. */
export function secretNames(schema: z.ZodType): Set<string> {
  const names = known.get(schema) ?? new Set<string>()
  if (!known.has(schema)) {
    known.set(schema, names)
    holdsSecret(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }), names)
  }
  return names
}

/** Also collects the names. */
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
