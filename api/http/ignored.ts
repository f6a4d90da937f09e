import type { Context } from 'koa'
import type { z } from 'zod'
import { type DeclaredMembers, kindOf, knownMembers } from './known-members.ts'

const maxReported = 20

export type ReportIgnored = (schema: z.ZodType, input: unknown) => void

/** Reports in the header `X-Ignored-Fields` the members of the request that the schemas do not declare, at most 20. */
export function ignoredFieldsReporter({ res }: Context): ReportIgnored {
  const fields: string[] = []
  return (schema, input) => {
    findIgnored(knownMembers(schema), input, '', fields)
    if (fields.length > 0) res.setHeader('X-Ignored-Fields', fields.map(inHeader).join(', '))
  }
}

/** Returns the dotted paths of at most 20 members that the schema does not declare. */
export function findUnknownMembers(schema: z.ZodType, input: unknown): string[] {
  const fields: string[] = []
  findIgnored(knownMembers(schema), input, '', fields)
  return fields
}

/**
 * Shortens a path for a header: to 100 characters, and before the first character that no name has. A JSON body that was sent as a
 * form is one long name, and can contain a secret. Proxies log headers.
 */
export function inHeader(path: string): string {
  return path.slice(0, 100).replace(/[^\w.@$:/#-].*$/s, '?')
}

/** Adds the dotted paths of unknown members. Does not search members that a schema accepts under any name. */
function findIgnored(declared: DeclaredMembers | undefined, value: unknown, prefix: string, names: string[]): void {
  if (!declared || typeof value !== 'object' || value === null || names.length >= maxReported) return
  if (Array.isArray(value)) {
    const { items } = declared
    if (items) for (const [at, item] of value.entries()) findIgnored(items, item, `${prefix}${at}.`, names)
    return
  }
  const own = kindOf(declared, value)
  for (const name of own ? Object.keys(value) : []) {
    if (own?.members.has(name)) findIn(own.members.get(name), value, name, prefix, names)
    else if (own?.isOpen) findIn(own.others, value, name, prefix, names)
    else if (names.length < maxReported) names.push(prefix + name)
  }
}

function findIn(
  declared: DeclaredMembers | undefined,
  value: object,
  name: string,
  prefix: string,
  names: string[],
): void {
  if (declared) findIgnored(declared, Reflect.get(value, name), `${prefix}${name}.`, names)
}
