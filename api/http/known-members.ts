import { z } from 'zod'

type Printed = z.core.JSONSchema._JSONSchema

/** What a schema knows of the objects that it takes; of a list, of those that are in it. */
export interface Known {
  members: Map<string, Known | undefined>
  /** Members of any other name are taken too: `others` is what is known of these. */
  isOpen: boolean
  others: Known | undefined
  items: Known | undefined
  /** Objects of several kinds, told apart by members of one value each. */
  kinds: { constants: [name: string, value: unknown][]; known: Known }[]
}

const compiled = new WeakMap<z.ZodType, { known: Known | undefined }>()

/** Returns the members that a schema declares; undefined if it takes neither objects nor lists of objects. */
export function knownMembers(schema: z.ZodType): Known | undefined {
  let of = compiled.get(schema)
  if (!of) {
    of = { known: knownIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })) }
    compiled.set(schema, of)
  }
  return of.known
}

/** Undefined where it is none of the kinds: it is refused. */
export function kindOf(known: Known, value: object): Known | undefined {
  if (known.kinds.length === 0) return known
  return known.kinds.find(({ constants }) => constants.every(([name, each]) => Reflect.get(value, name) === each))
    ?.known
}

/** Undefined where the schema takes no objects, nor lists of them. */
function knownIn(printed: Printed | undefined): Known | undefined {
  if (typeof printed !== 'object') return undefined
  const { properties, additionalProperties, items, anyOf, oneOf, allOf, type } = printed
  const options = anyOf ?? oneOf
  if (options) return eitherOf(options)
  if (allOf) return allOf.map(knownIn).reduce(merge, undefined)
  if (items !== undefined) return of({ items: knownIn(items as Printed) })
  if (type !== undefined && type !== 'object') return undefined
  const members = new Map(Object.entries(properties ?? {}).map(([name, member]) => [name, knownIn(member)]))
  // Without a type it takes anything.
  const isOpen = type === undefined || (additionalProperties !== undefined && additionalProperties !== false)
  return of({ members, isOpen, others: isOpen ? knownIn(additionalProperties) : undefined })
}

function eitherOf(options: Printed[]): Known | undefined {
  const kinds = options.flatMap((option) => {
    const known = knownIn(option)
    const constants = constantsOf(option)
    return known && constants.length > 0 ? [{ constants, known }] : []
  })
  return kinds.length === options.length ? of({ kinds }) : options.map(knownIn).reduce(merge, undefined)
}

function constantsOf(option: Printed): [string, unknown][] {
  if (typeof option !== 'object') return []
  return Object.entries(option.properties ?? {}).flatMap(([name, member]): [string, unknown][] =>
    typeof member === 'object' && member.const !== undefined ? [[name, member.const]] : [],
  )
}

/** What either of them knows. */
function merge(one: Known | undefined, other: Known | undefined): Known | undefined {
  if (!one || !other) return one ?? other
  const members = new Map(one.members)
  for (const [name, known] of other.members) members.set(name, merge(members.get(name), known))
  return of({
    members,
    isOpen: one.isOpen || other.isOpen || one.kinds.length + other.kinds.length > 0,
    others: merge(one.others, other.others),
    items: merge(one.items, other.items),
  })
}

function of(known: Partial<Known>): Known {
  return { members: new Map(), isOpen: false, others: undefined, items: undefined, kinds: [], ...known }
}
