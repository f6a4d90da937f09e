import { z } from 'zod'
import { filePaths } from '../../shared/domain/tenancy/tenant-files.ts'
import { isJsonObject } from '../../shared/formats/json-object.ts'
import type { Kind, Kinds } from './kind.ts'
import type { Content } from './members.ts'

const idOnly = (name: string, what: string) => ({
  type: 'object',
  properties: { [name]: { type: 'string', description: what } },
  required: [name],
  additionalProperties: false,
})
const variable = idOnly('$var', 'The name of a variable')
const secret = idOnly('$secret', 'The name of a secret')
const reference = idOnly('$ref', 'The path of another file without its extension')

/** Returns the JSON Schema of the files of each kind, by their path. Editors use it. */
export function printFileSchemas(kinds: Kinds): Record<string, Content> {
  return Object.fromEntries([...kinds.values()].map((kind) => [filePaths[kind.name], schemaOf(kind)]))
}

function schemaOf({ name: title, bodies, serverManaged = [], references = {} }: Kind): Content {
  const [body, replaceBody] = bodies.map(printBody)
  const properties: Content = { ...body?.properties }
  // A POST can lack members that the PUT has.
  for (const [name, member] of Object.entries(replaceBody?.properties ?? {})) properties[name] ??= member
  for (const path of serverManaged) removeMember(properties, path)
  delete properties.id
  const members = {
    $schema: { type: 'string' },
    movedFrom: { type: 'string', description: 'The earlier path of this file' },
  }
  const schema = inFile({ ...body, ...(body?.properties && { properties }) }, '', new Set(Object.keys(references)))
  const withMembers = Array.isArray(schema.oneOf)
    ? { oneOf: schema.oneOf.map((option) => addMembers(option, members)) }
    : addMembers(schema, members)
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title, ...withMembers }
}

/** Removes the member at a dotted path from the properties of a printed object. */
function removeMember(properties: Content, path: string): void {
  const names = path.split('.')
  const last = names.pop() ?? ''
  const owner = names.reduce((members, name) => Object(Object(members[name]).properties), properties)
  delete owner[last]
}

/** Returns the JSON Schema of what a body accepts, with the default of each member. */
export function printBody(schema: z.ZodType) {
  const { $schema, ...printed } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })
  return printed
}

function addMembers(schema: unknown, members: Content): Content {
  const { required = [], ...object } = Object(schema)
  const isMember = (name: string) => Object.hasOwn(Object(object.properties), name)
  return { ...object, required: required.filter(isMember), properties: { ...members, ...object.properties } }
}

/** Allows variables, secrets and references where a file can have them. `references` has the paths of members that are references. */
function inFile(schema: unknown, path: string, references: ReadonlySet<string>): Content {
  if (!isJsonObject(schema)) return Object(schema)
  const inMember = (name: string, member: unknown) =>
    inFileValue(member, path === '' ? name : `${path}.${name}`, references)
  const written: Content = { ...schema }
  for (const name of ['oneOf', 'anyOf', 'allOf']) {
    const options = schema[name]
    if (Array.isArray(options)) written[name] = options.map((option) => inFile(option, path, references))
  }
  if (isJsonObject(schema.items)) written.items = inMember('*', schema.items)
  if (isJsonObject(schema.additionalProperties))
    written.additionalProperties = inMember('*', schema.additionalProperties)
  if (isJsonObject(schema.properties)) {
    const members = Object.entries(schema.properties)
    written.properties = Object.fromEntries(members.map(([name, member]) => [name, inMember(name, member)]))
    written.additionalProperties ??= false
  }
  return written
}

function inFileValue(member: unknown, path: string, references: ReadonlySet<string>): Content {
  if (references.has(path)) return reference
  if (!isJsonObject(member)) return Object(member)
  if (member.format === 'password') return secret
  const { description, default: byDefault, ...value } = inFile(member, path, references)
  const common = {
    ...(description !== undefined && { description }),
    ...(byDefault !== undefined && { default: byDefault }),
  }
  const canBeVariable = member.type === 'string' && member.const === undefined
  return canBeVariable ? { ...common, anyOf: [value, variable] } : { ...common, ...value }
}
