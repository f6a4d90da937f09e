import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { isJsonObject } from '../../shared/formats/json-object.ts'
import { storedContent } from './content.ts'
import type { Kind, StoredObject } from './kind.ts'
import { type Content, setAt } from './members.ts'
import { pathsById } from './stored.ts'

/** Returns the content of the files of all objects, by path. Members with their default are left out. */
export function exportFiles(stored: ReadonlyMap<string, StoredObject>): Record<string, Content> {
  const removeDefaults = defaultsRemover()
  const paths = pathsById(stored.values())
  const files = [...stored.values()].map((object): [string, Content] => {
    const { kind, path } = object
    const content = storedContent(object, paths)
    const written = removeDefaults(kind, content)
    const secretPath = kind.secret?.pathIn(content)
    if (secretPath !== undefined) setAt(written, secretPath, { $secret: secretName(path) })
    return [path, written]
  })
  return Object.fromEntries(files.sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** Returns a name for the secret of a file, such as `CLAIM_SOURCES_REGISTER`. */
function secretName(path: string): string {
  return path.toUpperCase().replace(/[^A-Z0-9]+/g, '_')
}

type Printed = z.core.JSONSchema._JSONSchema

/** Returns a function that leaves out the members whose default is their value. It prints the schemas of a kind once. */
function defaultsRemover(): (kind: Kind, content: Content) => Content {
  const printed = new Map<Kind, Printed[]>()
  return (kind, content) => {
    const schemas = printed.get(kind) ?? printBodies(kind)
    printed.set(kind, schemas)
    const { defaults = {} } = kind
    const members = Object.entries(withoutDefaults(schemas, content) as Content)
    return Object.fromEntries(
      members.filter(([name]) => !(name in defaults) || !isDeepStrictEqual(content[name], defaults[name])),
    )
  }
}

function printBodies({ createBody, replaceBody }: Kind): Printed[] {
  return [createBody, replaceBody]
    .filter((schema) => schema !== undefined)
    .map((schema) => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' }))
}

/** A member that several schemas declare must have its value as the default of each. */
function withoutDefaults(schemas: readonly Printed[], value: unknown): unknown {
  const own = schemas.map((schema) => optionFor(schema, value))
  if (Array.isArray(value)) {
    const items = own.flatMap((schema) => (isSchema(schema?.items) ? [schema.items] : []))
    return value.map((item) => withoutDefaults(items, item))
  }
  if (!isJsonObject(value)) return value
  const kept: Content = {}
  for (const [name, member] of Object.entries(value)) {
    const declared = own.flatMap((schema) => schema?.properties?.[name] ?? [])
    const others = own.flatMap((schema) =>
      isSchema(schema?.additionalProperties) ? [schema.additionalProperties] : [],
    )
    const inner = declared.length > 0 ? declared : others
    const isDefault =
      inner.length > 0 && inner.every((schema) => isSchema(schema) && isDeepStrictEqual(schema.default, member))
    if (!isDefault) kept[name] = withoutDefaults(inner.filter(isSchema), member)
  }
  return kept
}

type PrintedObject = Exclude<Printed, boolean>

function isSchema(schema: unknown): schema is PrintedObject {
  return isJsonObject(schema)
}

/** Returns the option of a union that has the constants of the value. */
function optionFor(schema: Printed, value: unknown): PrintedObject | undefined {
  if (!isSchema(schema)) return undefined
  const options = schema.oneOf ?? schema.anyOf
  if (!options) return schema
  return options
    .filter(isSchema)
    .find(({ properties = {} }) =>
      Object.entries(properties).every(
        ([name, member]) =>
          !isSchema(member) || member.const === undefined || (isJsonObject(value) && value[name] === member.const),
      ),
    )
}
