import { z } from 'zod'
import { filePaths } from '../../shared/domain/tenancy/tenant-files.ts'
import type { Content, Kind, Part } from './kind.ts'
import { isObject } from './members.ts'
import type { Operations } from './operations.ts'

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
export function printFileSchemas(operations: Map<Kind, Operations>): Record<string, Content> {
  return Object.fromEntries([...operations].map(([kind, own]) => [filePaths[kind.name], schemaOf(kind, own)]))
}

function schemaOf(kind: Kind, { createBody, replaceBody }: Operations): Content {
  const [first = {}, second = {}] = [createBody, replaceBody].map((schema) => (schema ? print(schema) : undefined))
  const body = createBody ? first : second
  const properties = { ...Object(body.properties) }
  // A POST can lack members that the PUT has.
  for (const [name, member] of Object.entries(Object(second.properties))) properties[name] ??= member
  for (const path of kind.kept ?? []) removeMember(properties, path)
  delete properties.id
  const members = {
    $schema: { type: 'string' },
    movedFrom: { type: 'string', description: 'The earlier path of this file' },
  }
  const whole = inFile({ ...body, ...(body.properties !== undefined && { properties }) }, kind)
  for (const part of kind.parts ?? []) if (part.refersTo) setItems(whole, part, reference)
  const withMembers = Array.isArray(whole.oneOf)
    ? { oneOf: whole.oneOf.map((option) => addMembers(option, members)) }
    : addMembers(whole, members)
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', title: kind.name, ...withMembers }
}

/** Removes the member at a dotted path from the properties of a printed object. */
function removeMember(properties: Content, path: string): void {
  const names = path.split('.')
  const last = names.pop() ?? ''
  const owner = names.reduce((members, name) => Object(Object(members[name]).properties), properties)
  delete owner[last]
}

/** Sets the schema of the items of a part in the schema of its object. */
function setItems(schema: Content, { at: [member, list] }: Part, items: Content): void {
  const { properties } = Object(Object(schema.properties)[member])
  if (isObject(properties)) properties[list] = { ...Object(properties[list]), items }
}

function print(schema: z.ZodType): Content {
  const { $schema, ...printed } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })
  return printed
}

function addMembers(schema: unknown, members: Content): Content {
  const { required = [], ...object } = Object(schema)
  const isMember = (name: string) => Object.hasOwn(Object(object.properties), name)
  return { ...object, required: required.filter(isMember), properties: { ...members, ...object.properties } }
}

/** Allows variables, secrets and references where a file can have them. */
function inFile(schema: unknown, kind?: Kind): Content {
  if (!isObject(schema)) return Object(schema)
  const written: Content = { ...schema }
  for (const name of ['oneOf', 'anyOf', 'allOf']) {
    const options = schema[name]
    if (Array.isArray(options)) written[name] = options.map((option) => inFile(option, kind))
  }
  if (isObject(schema.items)) written.items = inFileValue(schema.items)
  if (isObject(schema.additionalProperties)) written.additionalProperties = inFileValue(schema.additionalProperties)
  if (isObject(schema.properties)) {
    const properties = Object.entries(schema.properties).map(([name, member]) => {
      return [name, kind?.references?.[name] ? reference : inFileValue(member)]
    })
    written.properties = Object.fromEntries(properties)
    written.additionalProperties ??= false
  }
  return written
}

function inFileValue(member: unknown): Content {
  if (!isObject(member)) return Object(member)
  if (member.format === 'password') return secret
  const { description, default: byDefault, ...value } = inFile(member)
  const common = {
    ...(description !== undefined && { description }),
    ...(byDefault !== undefined && { default: byDefault }),
  }
  const canBeVariable = member.type === 'string' && member.const === undefined
  return canBeVariable ? { ...common, anyOf: [value, variable] } : { ...common, ...value }
}
