import { isJsonObject } from './formats/json-object.ts'

/**
 * Reads a stored object that another version of the service may have written. Members that an older version did not write get their
 * default, at any depth. Members of a newer version stay, so that they are not lost when the object is written back.
 */
export function withDefaults<Value extends object>(defaults: Partial<Value>): (stored: object) => Value {
  const members = Object.entries(defaults).map(([name, value]) => ({
    name,
    value,
    fill: isJsonObject(value) ? withDefaults(value) : undefined,
  }))
  return (stored) => {
    // Boundary: members are looked up by name.
    const filled = { ...stored } as Record<string, unknown>
    for (const { name, value, fill } of members) {
      const member = filled[name]
      if (member === undefined) filled[name] = structuredClone(value)
      else if (fill && isJsonObject(member)) filled[name] = fill(member)
    }
    return filled as Value
  }
}
