import type { Context } from 'koa'
import type { z } from 'zod'
import { type Known, kindOf, knownMembers } from './known-members.ts'

const maxReported = 20

/**
 * Adds the dotted paths of members that the schema does not know, and therefore passes over, up to twenty in all. The cost is
 * a look-up for each member of what came; what a schema takes whatever its name is, is not looked into.
 */
function findIgnored(schema: z.ZodType, input: unknown, found: string[]): void {
  look(knownMembers(schema), input, '', found)
}

export type ReportIgnored = (schema: z.ZodType, input: unknown) => void

/** Says in `X-Ignored-Fields` of the answer, whatever it will be, what of all that came was passed over. */
export function ignoredFieldsReporter({ res }: Context): ReportIgnored {
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
export function inHeader(path: string): string {
  return path.slice(0, 100).replace(/[^\w.@$:/#-].*$/s, '?')
}

function look(known: Known | undefined, value: unknown, prefix: string, found: string[]): void {
  if (!known || typeof value !== 'object' || value === null || found.length >= maxReported) return
  if (Array.isArray(value)) {
    const { items } = known
    if (items) for (const [at, item] of value.entries()) look(items, item, `${prefix}${at}.`, found)
    return
  }
  const own = kindOf(known, value)
  for (const name of own ? Object.keys(value) : []) {
    if (own?.members.has(name)) lookInto(own.members.get(name), value, name, prefix, found)
    else if (own?.isOpen) lookInto(own.others, value, name, prefix, found)
    else if (found.length < maxReported) found.push(prefix + name)
  }
}

function lookInto(known: Known | undefined, value: object, name: string, prefix: string, found: string[]): void {
  if (known) look(known, Reflect.get(value, name), `${prefix}${name}.`, found)
}
