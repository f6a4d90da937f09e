import { z } from 'zod'

type Printed = z.core.JSONSchema._JSONSchema

/** The members that a schema declares for the objects that it accepts. For a list, `items` has those of its objects. */
export interface DeclaredMembers {
  members: Map<string, DeclaredMembers | undefined>
  /** Whether the schema accepts members of any name. `others` has what it declares for their values. */
  isOpen: boolean
  others: DeclaredMembers | undefined
  items: DeclaredMembers | undefined
  /** The kinds of a union. Each is identified by members with a constant value. */
  kinds: { constants: [name: string, value: unknown][]; members: DeclaredMembers }[]
}

const compiled = new WeakMap<z.ZodType, { members: DeclaredMembers | undefined }>()

/** Returns the members that a schema declares. Returns undefined if it accepts neither objects nor lists of objects. */
export function knownMembers(schema: z.ZodType): DeclaredMembers | undefined {
  let of = compiled.get(schema)
  if (!of) {
    of = { members: knownIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })) }
    compiled.set(schema, of)
  }
  return of.members
}

/** Returns the kind of the value. Returns undefined if the schema refuses it. */
export function kindOf(declared: DeclaredMembers, value: object): DeclaredMembers | undefined {
  if (declared.kinds.length === 0) return declared
  return declared.kinds.find(({ constants }) => constants.every(([name, each]) => Reflect.get(value, name) === each))
    ?.members
}

function knownIn(printed: Printed | undefined): DeclaredMembers | undefined {
  if (typeof printed !== 'object') return undefined
  const { properties, additionalProperties, items, anyOf, oneOf, allOf, type } = printed
  const options = anyOf ?? oneOf
  if (options) return eitherOf(options)
  if (allOf) return allOf.map(knownIn).reduce(merge, undefined)
  if (items !== undefined) return of({ items: knownIn(items as Printed) })
  if (type !== undefined && type !== 'object') return undefined
  const members = new Map(Object.entries(properties ?? {}).map(([name, member]) => [name, knownIn(member)]))
  // A schema without a type accepts any value.
  const isOpen = type === undefined || (additionalProperties !== undefined && additionalProperties !== false)
  return of({ members, isOpen, others: isOpen ? knownIn(additionalProperties) : undefined })
}

function eitherOf(options: Printed[]): DeclaredMembers | undefined {
  const kinds = options.flatMap((option) => {
    const members = knownIn(option)
    const constants = constantsOf(option)
    return members && constants.length > 0 ? [{ constants, members }] : []
  })
  return kinds.length === options.length ? of({ kinds }) : options.map(knownIn).reduce(merge, undefined)
}

function constantsOf(option: Printed): [string, unknown][] {
  if (typeof option !== 'object') return []
  return Object.entries(option.properties ?? {}).flatMap(([name, member]): [string, unknown][] =>
    typeof member === 'object' && member.const !== undefined ? [[name, member.const]] : [],
  )
}

/** Returns the members that one of the two declares. */
function merge(one: DeclaredMembers | undefined, other: DeclaredMembers | undefined): DeclaredMembers | undefined {
  if (!one || !other) return one ?? other
  const members = new Map(one.members)
  for (const [name, ofMember] of other.members) members.set(name, merge(members.get(name), ofMember))
  return of({
    members,
    isOpen: one.isOpen || other.isOpen || one.kinds.length + other.kinds.length > 0,
    others: merge(one.others, other.others),
    items: merge(one.items, other.items),
  })
}

function of(parts: Partial<DeclaredMembers>): DeclaredMembers {
  return { members: new Map(), isOpen: false, others: undefined, items: undefined, kinds: [], ...parts }
}
