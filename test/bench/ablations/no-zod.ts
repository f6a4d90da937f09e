import { registerHooks } from 'node:module'
import { z } from 'zod'

/**
 * Objects are checked at the first calls of their schema only. Later values get the members that the schema added to an earlier value, such
 * as defaults. No member is searched that a schema does not declare.
 */
const checkedCalls = 50
const schemas = new WeakMap<object, { calls: number; added: object }>()

type Parsing = (this: z.ZodObject, input: unknown, ...rest: never[]) => unknown

function unchecked(parse: Parsing, of: (data: object) => unknown, dataOf: (result: never) => unknown): Parsing {
  return function (this: z.ZodObject, input, ...rest) {
    const known = schemas.get(this) ?? { calls: 0, added: {} }
    schemas.set(this, known)
    if (known.calls++ >= checkedCalls && isObject(input)) return of({ ...known.added, ...input })
    const result = parse.call(this, input, ...rest)
    const data = dataOf(result as never)
    if (isObject(data) && isObject(input)) known.added = withoutMembersOf(input, data)
    return result
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function withoutMembersOf(input: object, data: object): object {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !(name in input)))
}

const schema = z.ZodObject.prototype
schema.parse = unchecked(
  schema.parse,
  (data) => data,
  (data) => data,
) as typeof schema.parse
schema.safeParse = unchecked(
  schema.safeParse,
  (data) => ({ success: true, data }),
  ({ data }: { data: unknown }) => data,
) as typeof schema.safeParse

/** A schema that accepts no object declares no members to search for. */
const noMembers = `export const z = { toJSONSchema: () => ({ type: 'string' }) }`

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'zod' && context.parentURL?.endsWith('/api/http/known-members.ts')
      ? { url: `data:text/javascript,${encodeURIComponent(noMembers)}`, shortCircuit: true }
      : next(specifier, context),
})
