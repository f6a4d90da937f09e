import type { Context } from 'koa'
import { z } from 'zod'

type Printed = z.core.JSONSchema._JSONSchema

/** What a schema knows of the objects that it takes; of a list, of those that are in it. */
interface Known {
  members: Map<string, Known | undefined>
  /** Members of any other name are taken too: `others` is what is known of these. */
  isOpen: boolean
  others: Known | undefined
  items: Known | undefined
  /** Objects of several kinds, told apart by members of one value each. */
  kinds: { constants: [name: string, value: unknown][]; known: Known }[]
}

const most = 20

const compiled = new WeakMap<z.ZodType, { known: Known | undefined }>()

/**
 * Adds the dotted paths of members that the schema does not know, and therefore passes over, up to twenty in all. The cost is
 * a look-up for each member of what came; what a schema takes whatever its name is, is not looked into.
 */
function findIgnored(schema: z.ZodType, input: unknown, found: string[]): void {
  let of = compiled.get(schema)
  if (!of) {
    of = { known: knownIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })) }
    compiled.set(schema, of)
  }
  look(of.known, input, '', found)
}

export type Teller = (schema: z.ZodType, input: unknown) => void

/** Says in `X-Ignored-Fields` of the answer, whatever it will be, what of all that came was passed over. */
export function ignoredTeller({ res }: Context): Teller {
  const found: string[] = []
  return (schema, input) => {
    findIgnored(schema, input, found)
    if (found.length > 0) res.setHeader('X-Ignored-Fields', found.map(inHeader).join(', '))
  }
}

/**
 * As far as it is a name, of at most a hundred characters. What is none was not meant as one: a body of JSON that came as a form is
 * all name, and may begin with a secret, which logs of proxies would keep.
 */
function inHeader(path: string): string {
  return path.slice(0, 100).replace(/[^\w.@$:/#-].*$/s, '?')
}

function look(known: Known | undefined, value: unknown, prefix: string, found: string[]): void {
  if (!known || typeof value !== 'object' || value === null || found.length >= most) return
  if (Array.isArray(value)) {
    const { items } = known
    if (items) for (const [at, item] of value.entries()) look(items, item, `${prefix}${at}.`, found)
    return
  }
  const own = kindOf(known, value)
  for (const name of own ? Object.keys(value) : []) {
    if (own?.members.has(name)) lookInto(own.members.get(name), value, name, prefix, found)
    else if (own?.isOpen) lookInto(own.others, value, name, prefix, found)
    else if (found.length < most) found.push(prefix + name)
  }
}

function lookInto(known: Known | undefined, value: object, name: string, prefix: string, found: string[]): void {
  if (known) look(known, Reflect.get(value, name), `${prefix}${name}.`, found)
}

/** Undefined where it is none of the kinds: it is refused. */
function kindOf(known: Known, value: object): Known | undefined {
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
